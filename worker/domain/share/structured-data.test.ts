import { describe, expect, it } from 'vitest'
import type { SharedModule } from '#contract/share.ts'
import { makeSharedModule, makeSharedStep, makeStep } from '#contract/testing/examples.ts'
import { describeTraining } from './structured-data.ts'

/**
 * What schema.org allows of the types that are used: each property that one of them or its parents has, with the kinds
 * of value in its range; a name with a capital letter is a type, of which a list or a reference by id may stand too.
 */
const SCHEMA_ORG: Record<string, Record<string, string[]>> = {
  // Thing > CreativeWork > MediaObject > VideoObject
  VideoObject: {
    name: ['text'],
    description: ['text'],
    uploadDate: ['dateTime'],
    embedUrl: ['url'],
    contentUrl: ['url'],
    thumbnailUrl: ['url'],
    duration: ['duration'],
    hasPart: ['Clip'],
  },
  // Thing > CreativeWork > Clip
  Clip: { name: ['text'], startOffset: ['number'], endOffset: ['number'], url: ['url'] },
  // Thing > CreativeWork > HowTo
  HowTo: {
    name: ['text'],
    video: ['VideoObject', 'Clip'],
    tool: ['HowToTool'],
    supply: ['HowToSupply'],
    step: ['HowToStep'],
  },
  // Thing > CreativeWork, ItemList, ListItem > HowToStep
  HowToStep: { position: ['integer'], name: ['text'], text: ['text'], url: ['url'], video: ['VideoObject', 'Clip'] },
  // Thing > Intangible > ListItem > HowToItem
  HowToTool: { name: ['text'] },
  HowToSupply: { name: ['text'] },
}

/** What search engines ask for besides (Google, "Video structured data" and "Key moments"). */
const REQUIRED: Record<string, string[]> = {
  VideoObject: ['name', 'description', 'uploadDate', 'thumbnailUrl', 'contentUrl'],
  Clip: ['name', 'startOffset', 'endOffset', 'url'],
  HowTo: ['name', 'step'],
  HowToStep: ['name', 'text', 'url'],
}

const IS_KIND: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string' && value.trim() !== '',
  url: (value) => typeof value === 'string' && URL.canParse(value) && value.startsWith('https://'),
  number: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  integer: (value) => Number.isInteger(value),
  dateTime: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
  duration: (value) => typeof value === 'string' && /^PT(?=\d)(\d+H)?(\d+M)?(\d+S)?$/.test(value),
}

type Node = Record<string, unknown>

/** Every sentence that is wrong with a node and what it holds. */
function findFaults(node: Node, typesById: ReadonlyMap<string, string>): string[] {
  const type = String(node['@type'])
  const allowed = SCHEMA_ORG[type]
  if (allowed === undefined) return [`${type} is no type`]
  const missing = (REQUIRED[type] ?? []).filter((name) => !(name in node)).map((name) => `${type} has no ${name}`)
  const wrong = Object.entries(node).flatMap(([name, value]) => {
    if (name.startsWith('@')) return []
    const kinds = allowed[name]
    if (kinds === undefined) return [`${type} knows no ${name}`]
    return [value].flat().flatMap((one) => {
      const { '@type': own, '@id': id } = (typeof one === 'object' ? one : {}) as Node
      const is = (own ?? typesById.get(String(id))) as string | undefined
      if (is !== undefined)
        return [
          ...(kinds.includes(is) ? [] : [`${type}.${name} is ${is}`]),
          ...(own ? findFaults(one as Node, typesById) : []),
        ]
      return kinds.some((kind) => IS_KIND[kind]?.(one)) ? [] : [`${type}.${name} is ${JSON.stringify(one)}`]
    })
  })
  return [...missing, ...wrong]
}

function check(fields: Partial<SharedModule>): { graph: Node[]; faults: string[] } {
  const module = makeSharedModule({
    id: 'abcdefghijklmnopqrstuv',
    posterUrl: '/share/abcdefghijklmnopqrstuv/images/poster',
    ...fields,
  })
  const described = describeTraining(module, 'https://adapt.test')
  expect(described['@context']).toBe('https://schema.org')
  const graph = described['@graph'] as Node[]
  const all = graph.flatMap((node) => [node, ...([node['hasPart'] ?? []].flat() as Node[])])
  const typesById = new Map(all.map((node) => [String(node['@id']), String(node['@type'])]))
  return { graph, faults: graph.flatMap((node) => findFaults(node, typesById)) }
}

const STEPS = [
  makeStep('a', 0.1, {
    end: 12.3,
    callouts: [
      { kind: 'tool', text: 'A screwdriver' },
      { kind: 'part', text: 'A new filter' },
    ],
  }),
  makeStep('b', 12.3, { description: '', callouts: [{ kind: 'warning', text: 'It is hot.' }] }),
].map(makeSharedStep)

describe('describeTraining', () => {
  it('says nothing but what schema.org knows, with all that search engines ask for', () => {
    const { graph, faults } = check({ steps: STEPS, totalDuration: 3_725.4 })
    expect(faults).toEqual([])
    expect(graph).toMatchObject([
      {
        '@type': 'VideoObject',
        duration: 'PT1H2M5S',
        hasPart: [{ startOffset: 0.1, endOffset: 12.3 }, { startOffset: 12.3 }],
      },
      {
        '@type': 'HowTo',
        tool: [{ name: 'A screwdriver' }],
        supply: [{ name: 'A new filter' }],
        step: [{ position: 1 }, { text: 'Title b' }],
      },
    ])
  })

  it('describes the video alone while there is no step', () => {
    const { graph, faults } = check({ steps: [], totalDuration: null })
    expect(faults).toEqual([])
    expect(graph.map((node) => node['@type'])).toEqual(['VideoObject'])
  })

  it('leads to the moment of each step', () => {
    const [video] = check({ steps: STEPS }).graph
    expect(video).toMatchObject({
      hasPart: STEPS.map(({ timestamp }) => ({
        url: `https://adapt.test/share/abcdefghijklmnopqrstuv?t=${timestamp}`,
      })),
    })
  })
})
