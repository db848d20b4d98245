"""How somebody uses the package, for the type checker: run by test_docs.py, not by Python."""

import numpy as np
import numpy.typing as npt

import supple

man: supple.Model = supple.load("man.glb")
a = supple.Body(man.shape())
b = supple.Body(man, skinning="dual").pose("walk", 0.9, place=(0.4, 0, 0))
pairs: npt.NDArray[np.uint32] = supple.collide(a, b).pairs
hits = supple.cast_rays(a, np.zeros((5, 3)), np.ones((5, 3)))
times: npt.NDArray[np.float32] = hits.times
hit = supple.cast_ray(a, (0, 1, 5), [0, 0, -1])
if hit is not None:
    joint: str = man.joints[hit.joint]
matrices, coefficients = man.sample("walk", np.linspace(0, 1, 30))
frames = supple.self_collide_many(man, matrices, coefficients=coefficients)
first: npt.NDArray[np.uint32] = frames[0]
