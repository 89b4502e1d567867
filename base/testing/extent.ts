/** `TEST_EXTENT=all`: every round of a race, every run of a property, and random seeds. Otherwise the gate, which samples them. */
export const isWhole = process.env['TEST_EXTENT'] === 'all'

/** How many runs of a property there are this time, of `many` in the whole. */
export function runs(many: number): number {
  return isWhole ? many : Math.ceil(many / 10)
}

/** How often a race is run; `RACES=200` sets another number. */
export const rounds = Number(process.env['RACES'] ?? (isWhole ? 60 : 8))

/** What random values are made from, so that a run can be repeated: `TEST_SEED=42 npm test`. */
export const seed = Number(process.env['TEST_SEED'] ?? 1)
