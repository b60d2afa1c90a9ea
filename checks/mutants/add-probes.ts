import { isNode, type Node, parseSource, walkTree } from '../syntax-tree.ts'
import type { Mutant } from './list-mutants.ts'

/** Where a change would be made. */
export type Place = Pick<Mutant, 'file' | 'start' | 'end'>

/** What runs as a whole: a block, or what an arrow function returns without one. */
interface Block {
  start: number
  end: number
  isExpression: boolean
}

/**
 * Lets a source note in the global set `reachedChanges` which of some places run, each by its number in the list. Code between two ends of a block counts
 * as one place, whether or not all of it runs; see {@link findOuterPlaces} for what stands in none.
 */
export function addProbes(file: string, text: string, places: readonly Place[]): string {
  const blocks = listBlocks(file, text)
  const numbers = new Map<Block, number[]>()
  for (const [number, place] of places.entries()) {
    const block = place.file === file ? innermost(blocks, place) : undefined
    if (block !== undefined) numbers.set(block, [...(numbers.get(block) ?? []), number])
  }
  const inserts = Array.from(numbers, ([{ start, end, isExpression }, own]) => {
    const note = own.map((number) => `globalThis.reachedChanges?.add(${number})`).join(', ')
    return isExpression
      ? [
          { at: start, code: `(${note}, ` },
          { at: end, code: ')' },
        ]
      : [{ at: start + 1, code: ` ${note};` }]
  }).flat()
  let probed = text
  for (const { at, code } of inserts.toSorted((a, b) => b.at - a.at)) {
    probed = probed.slice(0, at) + code + probed.slice(at)
  }
  return probed
}

/** @returns the numbers of the places in no function: they run where their source is loaded, for each test */
export function findOuterPlaces(file: string, text: string, places: readonly Place[]): number[] {
  const blocks = listBlocks(file, text)
  return places.flatMap((place, number) =>
    place.file === file && innermost(blocks, place) === undefined ? [number] : [],
  )
}

function listBlocks(file: string, text: string): Block[] {
  const blocks: Block[] = []
  walkTree(parseSource(file, text), (node) => {
    if (node.type === 'BlockStatement') blocks.push({ ...spanOf(node), isExpression: false })
    const { body } = node
    if (node.type === 'ArrowFunctionExpression' && isNode(body) && body.type !== 'BlockStatement') {
      blocks.push({ ...spanOf(body), isExpression: true })
    }
    return true
  })
  return blocks
}

const spanOf = ({ start, end }: Node) => ({ start, end })

function innermost(blocks: readonly Block[], { start, end }: Place): Block | undefined {
  return blocks
    .filter((block) => block.start <= start && end <= block.end)
    .toSorted((a, b) => a.end - a.start - (b.end - b.start))[0]
}
