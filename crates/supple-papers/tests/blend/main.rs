//! Blending of rigid transforms: what is proved of it, and what table 4.1 says.

mod theorems;
