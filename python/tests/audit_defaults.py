"""All options of an audit, as `supple.audit` has them if nothing is said."""

DEFAULTS = dict(
    fps=30.0,
    clips=None,
    skinning="linear",
    bones=None,
    bones_apart=0,
    between=None,
    min_depth="0.25%",
    min_frames=1,
    classes=("fault",),
    hints=False,
)
