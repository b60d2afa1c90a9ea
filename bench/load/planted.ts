/** Modules that people look at, ask about and edit; one each, so that no limit per module is in the way. */
export const MODULE_COUNT = 12

export function moduleIdOf(number: number): string {
  return `bench-load-${String(number).padStart(11, '0')}`
}

/** Whose modules they are; tokens are the names themselves. */
export const OWNER = 'owner.of.benches'
