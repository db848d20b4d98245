//! Vibration modes against what is known in closed form, and principal components against their definition.

mod components;
mod modes;
