"""Brute force under the names of the questions: all vertices posed, all triangles compared. Slow; for checks.

>>> import numpy as np, supple
>>> body = supple.Body(supple.zoo("dwarf")).pose("random", 1.0)
>>> bool(np.array_equal(supple.self_collide(body).pairs, supple.oracle.self_collide(body)))
True
"""

from ._native import oracle_cast_ray_all as cast_ray_all
from ._native import oracle_collide as collide
from ._native import oracle_overlap as overlap
from ._native import oracle_self_collide as self_collide

__all__ = ["cast_ray_all", "collide", "overlap", "self_collide"]
