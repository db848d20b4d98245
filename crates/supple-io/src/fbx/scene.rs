//! An FBX file as the library's scene: in metres, +Y up, with nothing but translations, rotations and scales.
//!
//! In: the bytes. Out: the scene, with a note where texture coordinates or normals had to be mended.
//! Must hold: memory follows from the size of the file, whatever sizes it claims.

use crate::Problem;

/// Bytes of memory per byte of a file, for what is kept and for what is needed meanwhile. Real files take 2 to 20.
const MEMORY_PER_BYTE: u64 = 512;
const ALWAYS_ALLOWED: u64 = 64 << 20;
const NEVER_ALLOWED: u64 = 16 << 30;

/// Reads the scene. The note tells of indices that were mended.
pub(super) fn load(bytes: &[u8]) -> Result<(ufbx::SceneRoot, Option<String>), Problem> {
    let with = |handling| ufbx::load_memory(bytes, options(bytes.len(), handling)).map_err(Box::new);
    let refused = match with(ufbx::IndexErrorHandling::AbortLoading) {
        Ok(scene) => return Ok((scene, None)),
        Err(error) => error,
    };
    // Indices of texture coordinates are often -1. Only those of positions make a wrong mesh.
    if refused.type_ == ufbx::ErrorType::BadIndex
        && let Ok(marked) = with(ufbx::IndexErrorHandling::NoIndex)
        && marked
            .meshes
            .iter()
            .all(|mesh| mesh.vertex_indices.iter().all(|&v| (v as usize) < mesh.num_vertices))
        && let Ok(mended) = with(ufbx::IndexErrorHandling::Clamp)
    {
        let note =
            "meshes: indices of texture coordinates or normals are out of range; the last one was taken";
        return Ok((mended, Some(note.to_owned())));
    }
    Err(invalid("FBX", &refused))
}

fn options(bytes: usize, index_error_handling: ufbx::IndexErrorHandling) -> ufbx::LoadOpts<'static> {
    ufbx::LoadOpts {
        temp_allocator: memory_limit(bytes),
        result_allocator: memory_limit(bytes),
        file_format: ufbx::FileFormat::Fbx,
        index_error_handling,
        ignore_embedded: true,
        clean_skin_weights: true,
        // Everything a node does to its mesh is then a translation, rotation and scale of some node.
        geometry_transform_handling: ufbx::GeometryTransformHandling::HelperNodes,
        inherit_mode_handling: ufbx::InheritModeHandling::HelperNodes,
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        ..ufbx::LoadOpts::default()
    }
}

/// What a file of that many bytes may make the library allocate.
pub(super) fn memory_limit(bytes: usize) -> ufbx::AllocatorOpts {
    let limit = (bytes as u64).saturating_mul(MEMORY_PER_BYTE).clamp(ALWAYS_ALLOWED, NEVER_ALLOWED);
    let memory_limit = usize::try_from(limit).unwrap_or(usize::MAX);
    ufbx::AllocatorOpts { memory_limit, ..ufbx::AllocatorOpts::default() }
}

/// What the library found wrong, at a place.
pub(super) fn invalid(place: &str, error: &ufbx::Error) -> Problem {
    let info = error.info();
    let message = match error.type_ {
        ufbx::ErrorType::MemoryLimit => {
            "needs more memory than a file of this size may; expected sizes that fit the file".to_owned()
        }
        ufbx::ErrorType::UnrecognizedFileFormat => "is not an FBX file".to_owned(),
        // The library does not say what it was.
        ufbx::ErrorType::Unknown => "is broken: its records, sizes or indices do not fit together".to_owned(),
        _ if info.is_empty() => error.description.to_string(),
        _ => format!("{}: {info}", error.description),
    };
    Problem::invalid(place, message)
}
