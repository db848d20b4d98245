"""The families: names of joints, and which arguments pose which joints."""

from __future__ import annotations

BODY = (
    "pelvis left_hip right_hip spine1 left_knee right_knee spine2 left_ankle right_ankle spine3 left_foot right_foot "
    "neck left_collar right_collar head left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist"
).split()
FINGERS = [f"{finger}{bone}" for finger in ("index", "middle", "pinky", "ring", "thumb") for bone in (1, 2, 3)]
HANDS = [f"{side}_{bone}" for side in ("left", "right") for bone in FINGERS]

FAMILIES: dict[int, tuple[str, list[str]]] = {
    24: ("SMPL", [*BODY, "left_hand", "right_hand"]),
    52: ("SMPL-H", [*BODY, *HANDS]),
    55: ("SMPL-X", [*BODY, "jaw", "left_eye", "right_eye", *HANDS]),
    16: ("MANO", ["wrist", *FINGERS]),
}
"""Families and names of their joints, by the number of joints."""

PARTS: dict[str, dict[str, tuple[int, int]]] = {
    "SMPL-H": {"body_pose": (1, 21), "left_hand_pose": (22, 15), "right_hand_pose": (37, 15)},
    "SMPL-X": {
        "body_pose": (1, 21),
        "jaw_pose": (22, 1),
        "leye_pose": (23, 1),
        "reye_pose": (24, 1),
        "left_hand_pose": (25, 15),
        "right_hand_pose": (40, 15),
    },
    "MANO": {"hand_pose": (1, 15)},
}
"""Arguments that pose a family: the first joint and the number of joints. Other families have a body_pose only."""

HAND_KEYS = {
    "left_hand_pose": ("hands_meanl", "hands_componentsl"),
    "right_hand_pose": ("hands_meanr", "hands_componentsr"),
    "hand_pose": ("hands_mean", "hands_components"),
}
