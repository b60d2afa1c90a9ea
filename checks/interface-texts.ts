// `npm run check:texts`: refuses texts on screens that are not in the catalogue, and catalogues that lack one.

import { join } from 'node:path'
import { INTERFACE_LANGUAGES, type InterfaceLanguage } from '#contract/languages.ts'
import { listMessages, type Message } from '../web/build/messages.ts'
import { listShipped, readText, refuse } from './check.ts'
import { findGivenLiterals } from './message-values.ts'
import { isNode, type Node, parseSource, walkTree } from './syntax-tree.ts'

/** What stands in the code of pages where the catalogue should be asked. */
export interface OpenText {
  line: number
  text: string
}

/** Attributes of elements and properties of ours that people see, or that are read to them. */
const SHOWN =
  /^(?:aria-(?:label|description|roledescription|valuetext)|about|alt|description|does|heading|hint|\w*[lL]abel|message|note|placeholder|question|reason|says|summary|text|title|what)$/
/** Calls whose texts are for developers and operators. */
const UNSEEN_CALLS = /^(?:console\.\w+|(?:new )?(?:TypeError|RangeError|DOMException|CustomEvent|Event))$/
/** One word with a capital: a label, where it is no name of a key or a type. */
const LABEL = /^\p{Lu}\p{Ll}+$/u
/** A sentence, or the beginning of one: a capital, and then a word in small letters, or more than one word. */
const SENTENCE = /^[“"'(]?\p{Lu}[\p{L}’']*(?:[ ,:…]+\S*\p{Ll}|.*[.…?!]$)/u
const WORD = /\p{L}{2}/u

/** Finds texts that people read in a file of the pages. @param isAllowed texts that are the same in each language */
export function findOpenTexts(file: string, source: string, isAllowed: (text: string) => boolean): OpenText[] {
  const found: OpenText[] = []
  const note = (node: Node, text: string) => {
    const line = source.slice(0, node.start).split('\n').length
    const isComment = source.split('\n')[line - 2]?.includes('not-shown:') ?? false
    if (!isAllowed(text) && !isComment) found.push({ line, text })
  }
  walkTree(parseSource(file, source), (node, parent) => {
    if (isUnseen(node, source)) return false
    if (node.type === 'JSXText' && WORD.test(String(node['value']))) note(node, String(node['value']).trim())
    const text = textOf(node)
    if (text !== null && isShown(text, parent)) note(node, text)
    return true
  })
  return found
}

function isUnseen(node: Node, source: string): boolean {
  if (node.type === 'ImportDeclaration' || node.type.startsWith('TS'))
    return !/^TS(?:As|Satisfies|NonNull)/.test(node.type)
  const called = node['callee']
  if (!isNode(called)) return false
  const name = source.slice(called.start, called.end)
  return UNSEEN_CALLS.test(node.type === 'NewExpression' ? `new ${name}` : name)
}

/** The text of a literal, with `{}` for what is put in. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type !== 'TemplateLiteral') return null
  return (node['quasis'] as { value: { raw: string } }[]).map(({ value }) => value.raw).join('{}')
}

function isShown(text: string, parent: Node | null): boolean {
  if (!WORD.test(text)) return false
  if (parent?.type === 'JSXAttribute') return SHOWN.test(String((parent['name'] as { name?: unknown }).name))
  return (
    SENTENCE.test(text) || (LABEL.test(text) && parent?.type !== 'BinaryExpression' && parent?.type !== 'SwitchCase')
  )
}

/** What a catalogue lacks beside the English one, as `key: what`. */
export function findGaps(english: readonly Message[], other: readonly Message[], tag: InterfaceLanguage): string[] {
  const theirs = new Map(other.map((message) => [message.key, message]))
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  const missing = english.flatMap(({ key, text, values, forms }) => {
    const their = theirs.get(key)
    if (their === undefined) return [`${key}: not translated`]
    const faults: string[] = []
    for (const [form, written] of Object.entries(their.forms)) {
      if (written.trim() === '' && text !== '') faults.push(`${key}: empty`)
      const isOne = /=(?:zero|one|two)\b/.test(form)
      for (const name of values)
        if (!written.includes(`{${name}}`) && !(isOne && name === 'count') && isWritten(forms, name))
          faults.push(`${key}: lacks {${name}}`)
      for (const [, name = ''] of written.matchAll(/\{(\w+)\}/g))
        if (!values.includes(name)) faults.push(`${key}: has {${name}}, which is not given`)
      if (marksOf(written) !== marksOf(text)) faults.push(`${key}: other marks than ${marksOf(text)}`)
    }
    const isPlural = Object.keys(forms).some((form) => /Plural=/.test(form))
    if (isPlural)
      for (const category of categories)
        if (!Object.keys(their.forms).some((form) => form.includes(`Plural=${category}`)))
          faults.push(`${key}: has no form for "${category}"`)
    return faults
  })
  const known = new Set(english.map(({ key }) => key))
  return [...missing, ...other.filter(({ key }) => !known.has(key)).map(({ key }) => `${key}: not in English`)]
}

/** Texts of a catalogue that stand in it twice, of which the first is never shown. */
export function findDuplicates(catalogue: string): string[] {
  const keys = [...catalogue.matchAll(/^ {2}"(\w+)":/gm)].map(([, key = '']) => key)
  return keys.filter((key, index) => keys.indexOf(key) !== index)
}

/** How the languages that are compiled differ from those that the app speaks. */
export function compareLocales(locales: readonly string[], spoken: readonly string[]): string[] {
  return [
    ...spoken.filter((tag) => !locales.includes(tag)).map((tag) => `locales lack "${tag}"`),
    ...locales.filter((tag) => !spoken.includes(tag)).map((tag) => `locales have "${tag}"`),
  ]
}

const isWritten = (forms: Record<string, string>, name: string) =>
  Object.values(forms).every((text) => text.includes(`{${name}}`))

function marksOf(text: string): string {
  const names = [...text.matchAll(/<(\w+)>/g)].map(([, name = '']) => name)
  return names.toSorted((left, right) => left.localeCompare(right)).join(' ')
}

/** Names and signs that are the same in each language. */
const SAME =
  /^(?:Adapt|Adapt ·.*|Clerk|Enter|Escape|Space|Home|End|Tab|Theora|Oberfräse.*|[\d\s{}.,:;·–—×/+%()-]*|MP4|MOV|WebM|VTT|SRT|ZIP|QR|PDF|AI|ID|<(\w+)>\{\}<\/\1>|[A-Z]{2,}\b.{0,12}|https?:.*)$/

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const files = listShipped(root, 'web/**/*.{ts,tsx}').filter((file) => !/^web\/(?:build|messages)\//.test(file))
  const open = files.flatMap((file) =>
    findOpenTexts(file, readText(root, file) ?? '', (text) => SAME.test(text)).map(
      ({ line, text }) => `${file}:${line}: “${text}” is not in the catalogue`,
    ),
  )
  const given = findGivenLiterals(new Map(files.map((file) => [file, readText(root, file) ?? ''])))
    .filter(({ text }) => !SAME.test(text))
    .map(({ file, line, text }) => `${file}:${line}: “${text}” is given to a message, and stays English`)
  const english = listMessages('en')
  const gaps = INTERFACE_LANGUAGES.flatMap((tag) =>
    findGaps(english, listMessages(tag), tag).map((gap) => `web/messages/${tag}.json: ${gap}`),
  )
  const settings = 'web/messages/project.inlang/settings.json'
  const { locales } = JSON.parse(readText(root, settings) ?? '') as { locales: string[] }
  const unlike = compareLocales(locales, INTERFACE_LANGUAGES).map((fault) => `${settings}: ${fault}`)
  const duplicates = INTERFACE_LANGUAGES.flatMap((tag) =>
    findDuplicates(readText(root, `web/messages/${tag}.json`) ?? '').map(
      (key) => `web/messages/${tag}.json: ${key} stands twice`,
    ),
  )
  refuse([...open, ...given, ...gaps, ...duplicates, ...unlike])
  console.log(`${english.length} texts in ${INTERFACE_LANGUAGES.length} languages.`)
}
