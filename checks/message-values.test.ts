import { describe, expect, it } from 'vitest'
import { findGivenLiterals } from './message-values.ts'

const find = (...sources: string[]) =>
  findGivenLiterals(new Map(sources.map((source, index) => [`file${index}.tsx`, source]))).map(({ text }) => text)

describe('findGivenLiterals', () => {
  it.each([
    ['a literal', "m.put_failed({ cause: 'no ETag' })", ['no ETag']],
    ['a template', 'm.put_failed({ cause: `after ${count} tries` })', ['after {} tries']],
    ['either of two', "m.put_failed({ cause: isLost ? 'lost' : 'away' })", ['lost', 'away']],
    ['one that stands for nothing', "m.put_failed({ cause: status || 'network' })", ['network']],
    ['a constant', "const CAUSE = 'network'\nm.put_failed({ cause: CAUSE })", ['network']],
    [
      'a table',
      "const CAUSES = { a: 'lost', b: 'away' } as const\nm.put_failed({ cause: CAUSES[kind] })",
      ['lost', 'away'],
    ],
    [
      'a property of a type with a few values',
      "interface Props { name: 'start' | 'end' }\nfunction Field({ name }: Props) { return m.move({ name }) }",
      ['start', 'end'],
    ],
    ['a parameter of such a type', "function say(name: 'start' | 'end') { return m.move({ name }) }", ['start', 'end']],
    [
      'what a function returns',
      "function ownersOf(module) { return module.isMine ? 'you' : module.owner }\nm.only({ people: ownersOf(module) })",
      ['you'],
    ],
    [
      'what is given to one message of a table',
      "const FAILED = { a: m.a_failed }\nFAILED[stage]({ cause: 'network' })",
      ['network'],
    ],
    ['what is given to one of two messages', "(isIn ? m.added : m.add)({ title: 'this one' })", ['this one']],
  ])('finds %s', (_, code, texts) => {
    expect(find(code)).toEqual(texts)
  })

  it('finds what a function of another file returns', () => {
    const [calls, declares] = ['m.only({ people: ownersOf(module) })', "export const ownersOf = () => 'you'"]
    expect(find(calls, declares)).toEqual(['you'])
  })

  it.each([
    ['another message', 'm.put_failed({ cause: m.cause_network() })'],
    ['numbers, and signs', "m.count_of({ count: 3, title: '' })\nm.count_of({ count: list.length, title: ' – ' })"],
    ['a property of something', 'm.hello({ name: person.name })'],
    ['a table of messages', 'const HOLDERS = { user: m.you() }\nm.quota({ holder: HOLDERS[of] })'],
    ['what is given to anything else', "say({ cause: 'network' })\nconsole.warn({ cause: 'no ETag' })"],
    ['a function that calls itself', 'const f = () => f()\nm.hello({ name: f() })'],
    ['a constant that is itself', 'const a = a\nm.hello({ name: a })\na({ name: a })'],
  ])('leaves %s', (_, code) => {
    expect(find(code)).toEqual([])
  })
})
