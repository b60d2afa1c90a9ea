import fc from 'fast-check'
import { hostileText, hostileValue, Nested, writeJson } from './hostile.ts'

const WAYS = ['replace', 'remove', 'add', 'repeat', 'wrap', 'retype', 'swell'] as const

interface Mutation {
  /** Which place of the value, counted through all of them. */
  at: number
  how: (typeof WAYS)[number]
  value: unknown
  key: string
}

/** More than any list of the contract may have. */
const SWOLLEN = 1_100

export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const mutation: fc.Arbitrary<Mutation> = fc.record({
    at: fc.nat(200),
    how: fc.constantFrom(...WAYS),
    value: hostileValue(),
    key: hostileText(),
  })
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 })
  return fc.tuple(values, mutations).map(([value, all]) => all.reduce(applyOne, value))
}

function applyOne(value: unknown, mutation: Mutation): unknown {
  const places = listPlaces(value)
  return rebuild(value, places[mutation.at % places.length] ?? [], mutation)
}

/** Paths of everything in a value, itself first. */
function listPlaces(value: unknown): string[][] {
  if (!isContainer(value)) return [[]]
  return [[], ...Object.entries(value).flatMap(([key, each]) => listPlaces(each).map((rest) => [key, ...rest]))]
}

function isContainer(value: unknown): value is Record<string, unknown> | unknown[] {
  return typeof value === 'object' && value !== null && !(value instanceof Nested)
}

function rebuild(value: unknown, [key, ...rest]: string[], mutation: Mutation): unknown {
  if (key === undefined || !isContainer(value)) return change(value, mutation)
  const entries = Object.entries(value).flatMap((entry): [string, unknown][] => {
    const [name, each] = entry
    if (name !== key) return [entry]
    if (rest.length > 0) return [[name, rebuild(each, rest, mutation)]]
    if (mutation.how === 'remove') return []
    if (mutation.how === 'repeat' && Array.isArray(value)) return [entry, entry]
    return [[name, change(each, mutation)]]
  })
  // Unlike an assignment this gives an object a field `__proto__` of its own.
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)
}

function change(value: unknown, { how, value: other, key }: Mutation): unknown {
  if (how === 'add' && isContainer(value)) {
    return Array.isArray(value) ? [...value, other] : Object.fromEntries([...Object.entries(value), [key, other]])
  }
  if (how === 'wrap') return [value]
  if (how === 'retype') return typeof value === 'string' ? Number(value) || 0 : writeJson(value)
  if (how === 'swell' && Array.isArray(value))
    return Array.from({ length: SWOLLEN }, (_, at) => value[at % value.length] ?? at)
  if (how === 'swell' && typeof value === 'string') return value.padEnd(value.length + 6_000, 'Aé')
  return how === 'repeat' && Array.isArray(value) ? [...value, ...value] : other
}
