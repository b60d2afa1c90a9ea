import fc from 'fast-check'
import { z } from 'zod'
import { hostileNumber, hostileText } from './hostile.ts'

/** As much of JSON Schema as the contract's schemas become. */
interface Shape {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape | false
  prefixItems?: Shape[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
}

/** How texts, numbers and fields that mean something are filled. */
export interface Filling {
  texts: fc.Arbitrary<string>
  numbers: fc.Arbitrary<number>
  /** Of which only some values make sense, by the name of the field. */
  meant: Record<string, fc.Arbitrary<unknown>>
}

/** Longer ones are the business of mutations. */
const LIST_MAX = 4

const CALM = { texts: fc.lorem({ maxCount: 12 }), numbers: fc.integer({ min: 0, max: 110 }) }
/** Values as an attacker sends them. */
const WILD = { texts: fc.oneof(CALM.texts, hostileText()), numbers: fc.oneof(CALM.numbers, hostileNumber()) }

/** Values that a schema takes, but for what it checks beside types and bounds. */
export function valuesOf(schema: z.ZodType, kind: 'calm' | 'wild', meant: Filling['meant']): fc.Arbitrary<unknown> {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
  return fromShape(shape, { ...(kind === 'calm' ? CALM : WILD), meant })
}

function fromShape(shape: Shape, filling: Filling): fc.Arbitrary<unknown> {
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map((each) => fromShape(each, filling)))
  if (shape.type === 'object') return fromFields(shape, filling)
  if (shape.type === 'array') return fromItems(shape, filling)
  if (shape.type === 'string') return fromText(shape, filling)
  if (shape.type === 'integer' || shape.type === 'number') return fromNumber(shape, filling)
  if (shape.type === 'boolean') return fc.boolean()
  return shape.type === 'null' ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 })
}

function fromFields({ properties = {}, required = [] }: Shape, filling: Filling): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, shape]) => {
    const own = fromShape(shape, filling)
    // Where the contract names all there is, nothing makes more sense.
    const sense = shape.enum === undefined ? filling.meant[name] : undefined
    return [name, sense === undefined ? own : fc.oneof({ arbitrary: sense, weight: 19 }, { arbitrary: own, weight: 1 })]
  })
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: required })
}

function fromItems({ items, prefixItems, minItems = 0, maxItems = LIST_MAX }: Shape, filling: Filling) {
  if (prefixItems !== undefined) return fc.tuple(...prefixItems.map((each) => fromShape(each, filling)))
  const each = items === undefined || items === false ? fc.jsonValue({ maxDepth: 1 }) : fromShape(items, filling)
  return fc.array(each, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, LIST_MAX)) })
}

function fromText({ pattern, minLength = 0, maxLength = 10_000 }: Shape, { texts }: Filling): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return texts.map((text) => text.slice(0, maxLength).padEnd(minLength, 'x'))
}

function fromNumber({ type, exclusiveMinimum, ...bounds }: Shape, { numbers }: Filling): fc.Arbitrary<number> {
  const least = bounds.minimum ?? (exclusiveMinimum === undefined ? -1e6 : exclusiveMinimum + 1)
  const most = bounds.maximum ?? Number.MAX_VALUE
  const whole = type === 'integer'
  const fit = (value: number) => Math.min(most, Math.max(least, whole ? Math.round(value) : value))
  return numbers.map(fit)
}
