//! Everything can be sent to other threads and shared between them; checked when this is compiled.

use supple::mesh::MeshError;
use supple::oracle::PosedMesh;
use supple::pose::{ClipError, SkeletonError};
use supple::rest::{FieldsError, MorphError};
use supple::skin::SkinError;
use supple::{
    Answer, Body, BodyContacts, BodyId, Budget, BuildError, BuildOptions, ClassError, CollideOptions,
    ContactDetails, Distance, DistanceError, Groups, HistoryError, Model, ModelError, Motion, MotionError,
    OpenSurface, Pair, PartialPairs, Past, Plane, PlaneError, Point, PointError, Pose, PoseError,
    PoseHistory, PosedModel, Probe, ProbeError, QueryStats, Ray, RayError, RayHitDetails, Scene, SceneHit,
    SelfFilter, SelfFilterError, Shape, Skinning, StorageError, TreeNode, TriangleClasses, VertexUpdate,
    VolumeKind,
};

const fn send_and_sync<T: Send + Sync>() {}

/// Errors also outlive what was asked, so that `Box<dyn Error + Send + Sync>` takes them.
const fn error<T: std::error::Error + Send + Sync + 'static>() {}

const _: () = {
    send_and_sync::<Model>();
    send_and_sync::<PosedModel>();
    send_and_sync::<Shape>();
    send_and_sync::<TreeNode>();
    send_and_sync::<TriangleClasses>();
    send_and_sync::<Body>();
    send_and_sync::<Scene>();
    send_and_sync::<PoseHistory>();
    send_and_sync::<PosedMesh>();
};

const _: () = {
    send_and_sync::<Pose>();
    send_and_sync::<Motion>();
    send_and_sync::<Ray>();
    send_and_sync::<Probe>();
    send_and_sync::<Plane>();
    send_and_sync::<Point>();
    send_and_sync::<Distance>();
    send_and_sync::<Budget>();
    send_and_sync::<CollideOptions>();
    send_and_sync::<BuildOptions>();
    send_and_sync::<SelfFilter>();
    send_and_sync::<Groups>();
    send_and_sync::<BodyId>();
    send_and_sync::<(Skinning, VertexUpdate, VolumeKind)>();
};

const _: () = {
    send_and_sync::<Answer<Vec<Pair>>>();
    send_and_sync::<PartialPairs>();
    send_and_sync::<QueryStats>();
    send_and_sync::<(ContactDetails, RayHitDetails, BodyContacts, SceneHit, Past)>();
};

const _: () = {
    error::<BuildError>();
    error::<ClassError>();
    error::<ClipError>();
    error::<DistanceError>();
    error::<FieldsError>();
    error::<HistoryError>();
    error::<MeshError>();
    error::<ModelError>();
    error::<MorphError>();
    error::<MotionError>();
    error::<OpenSurface>();
    error::<PlaneError>();
    error::<PointError>();
    error::<PoseError>();
    error::<ProbeError>();
    error::<RayError>();
    error::<SelfFilterError>();
    error::<SkeletonError>();
    error::<SkinError>();
    error::<StorageError>();
};
