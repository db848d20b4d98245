"""To and from the package trimesh, which is needed only where a mesh of it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._native import Body, Model

if TYPE_CHECKING:
    import trimesh


def from_trimesh(mesh: Any, **model_arguments: Any) -> Model:
    """A model of a `trimesh.Trimesh`, of all meshes of a `trimesh.Scene`, or of anything with `vertices` and `faces`.

    Vertices and triangles keep their order; vertices are rounded to f32. More arguments go to `Model`: weights, joints, displacements.

    >>> import supple
    >>> from types import SimpleNamespace
    >>> mesh = SimpleNamespace(vertices=[[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces=[[0, 1, 2]])
    >>> supple.from_trimesh(mesh, weights=[[1, 0], [1, 0], [0, 1]])
    <supple.Model: 3 vertices, 1 triangles, 2 joints, 0 coefficients, 0 clips>
    """
    if hasattr(mesh, "geometry") and hasattr(mesh, "to_mesh"):
        mesh = mesh.to_mesh()
    if not (hasattr(mesh, "vertices") and hasattr(mesh, "faces")):
        raise TypeError(f"mesh: expected a Trimesh, a Scene, or something with vertices and faces, not {type(mesh).__name__}")
    return Model(mesh.vertices, mesh.faces, **model_arguments)


def to_trimesh(body: Body) -> trimesh.Trimesh:
    """A `trimesh.Trimesh` of a body as it is posed. Vertices and triangles keep their order; nothing is merged. Costs O(vertices).

    >>> import supple
    >>> body = supple.Body(supple.zoo("man")).pose("walk", 0.2)
    >>> mesh = supple.to_trimesh(body)
    >>> mesh.is_watertight, len(mesh.faces)
    (True, 8796)
    """
    if not isinstance(body, Body):
        raise TypeError(f"body: expected a Body, got {type(body).__name__}")
    try:
        from trimesh import Trimesh
    except ImportError as error:
        raise ImportError("to_trimesh needs the package trimesh: pip install trimesh") from error
    return Trimesh(vertices=body.vertices, faces=body.shape.model.triangles, process=False)
