"""Meshes go to trimesh and come back as they are."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import supple
from optional import needed

trimesh = needed("trimesh")


def test_a_mesh_keeps_its_order() -> None:
    box = trimesh.creation.box((1, 2, 3))
    model = supple.from_trimesh(box)
    assert np.array_equal(model.vertices, box.vertices.astype(np.float32))
    assert np.array_equal(model.triangles, box.faces)


def test_a_posed_body_goes_there_and_back() -> None:
    body = supple.Body(supple.zoo("dwarf"), skinning="dual").pose("walk", 0.2, place=(1, 2, 3))
    mesh = supple.to_trimesh(body)
    assert isinstance(mesh, trimesh.Trimesh)
    assert np.array_equal(mesh.vertices, body.vertices)
    assert np.array_equal(mesh.faces, body.shape.model.triangles)
    again = supple.Body(supple.from_trimesh(mesh))
    assert np.array_equal(again.vertices, body.vertices)
    assert np.array_equal(supple.self_collide(again).pairs, supple.self_collide(body).pairs)


def test_vertices_in_one_place_are_not_merged() -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]] * 2, np.float32)
    body = supple.Body(supple.Model(corners, [[0, 1, 2], [3, 4, 5]]))
    assert supple.to_trimesh(body).vertices.shape == (6, 3)


def test_a_scene_is_one_model() -> None:
    aside = np.eye(4)
    aside[0, 3] = 5
    scene = trimesh.Scene([trimesh.creation.box(), trimesh.creation.icosphere()])
    scene.add_geometry(trimesh.creation.box(), transform=aside)
    model = supple.from_trimesh(scene)
    assert model.triangle_count == 12 + 1280 + 12
    assert model.vertices[:, 0].max() == 5.5


def test_what_else_a_model_takes() -> None:
    box = trimesh.creation.box()
    top = (box.vertices[:, 2] > 0).astype(float)
    model = supple.from_trimesh(box, weights=np.stack([1 - top, top], axis=1), names=["below", "above"])
    assert model.joints == ["below", "above"]
    lift = np.stack([np.eye(4)] * 2)
    lift[1, 2, 3] = 1
    assert supple.to_trimesh(supple.Body(model).set_matrices(lift)).extents.tolist() == [1, 1, 2]


def test_anything_with_vertices_and_faces() -> None:
    mesh = SimpleNamespace(vertices=[[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces=[[0, 1, 2]])
    assert supple.from_trimesh(mesh).triangle_count == 1


@pytest.mark.parametrize("wrong", [None, "box.ply", trimesh.PointCloud(np.zeros((3, 3))), SimpleNamespace(vertices=[])])
def test_what_is_no_mesh_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="mesh: expected a Trimesh, a Scene, or something with vertices and faces, not "):
        supple.from_trimesh(wrong)


def test_quads_are_refused() -> None:
    with pytest.raises(ValueError, match="triangles: expected an array of shape"):
        supple.from_trimesh(SimpleNamespace(vertices=np.zeros((4, 3)), faces=[[0, 1, 2, 3]]))


def test_without_trimesh_the_error_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['trimesh'] = None\n"
        "import supple\n"
        "from types import SimpleNamespace as Mesh\n"
        "model = supple.from_trimesh(Mesh(vertices=[[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces=[[0, 1, 2]]))\n"
        "try:\n    supple.to_trimesh(supple.Body(model))\n"
        "except ImportError as error:\n    print(error)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "to_trimesh needs the package trimesh: pip install trimesh"
