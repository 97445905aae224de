//! A device: a card, its rings, and how much memory it has.

use super::object::Budget;
use super::ring::Rings;
use crate::card::{Card, Settings};
use crate::chips::Chip;
use std::sync::Arc;

pub(crate) struct Device {
    /// Which of the devices it is.
    pub number: usize,
    pub chip: &'static Chip,
    pub card: Arc<Card>,
    pub rings: Rings,
    pub budget: Arc<Budget>,
    /// Whether it offers a copy engine.
    pub sdma: bool,
}

impl Device {
    pub fn new(number: usize, chip: &'static Chip, settings: Settings, memory: u64, sdma: bool) -> Device {
        let card = Card::new(chip, settings);
        let rings = Rings::new(&card);
        Device { number, chip, card, rings, budget: Arc::new(Budget::new(memory)), sdma }
    }
}
