import { ACTIONS } from './action-words.ts'
import type { Sentence } from './sentences.ts'
import type { TitleIdea } from './title-idea.ts'
import { readTitleTokens, type TitleToken } from './title-tokens.ts'
import { isContentWord, stemWord } from './words.ts'

const MAX_TOPIC_WORDS = 4
/** After these comes a verb, not a name: "I love dancing". */
const BEFORE_VERBS = new Set(
  `i we you they he she it who to will would can could should must may might do does did don't doesn't didn't can't won't not
let's let i'll we'll you'll i'd we'd just also and then please`.split(/\s+/),
)
/** After these comes a name, whatever the word can be otherwise: "the search", "a fill". */
const BEFORE_NAMES = new Set(
  `the a an this that these those my your our his her its their of in on at for with about from by into each every some any no
new called is are as or between using`.split(/\s+/),
)
const NUMERALS = new Set(
  'four five six seven eight nine eleven twelve fifteen twenty thirty forty fifty hundred'.split(' '),
)
const NOT_A_NAME = /(?:ly|n't|'s|'re|'ve|'ll|'d|ed)$/

interface TopicToken extends TitleToken {
  isName: boolean
}

/** What a passage is about: the noun phrases in it, with "the" where it was said. */
export function findTopicTitles(sentence: Sentence): TitleIdea[] {
  const tokens = markNames(readTitleTokens(sentence))
  return tokens.flatMap((token, from) => (token.isName ? phrasesFrom(tokens, from) : []))
}

function phrasesFrom(tokens: readonly TopicToken[], from: number): TitleIdea[] {
  const ideas: TitleIdea[] = []
  const words: string[] = []
  const stems: string[] = []
  const article = tokens[from - 1]?.word === 'the' ? 'the ' : ''
  for (const [offset, token] of tokens.slice(from).entries()) {
    const before = tokens[from + offset - 1]?.word
    if (stems.length === MAX_TOPIC_WORDS || !(token.isName || isLink(token.word, before))) break
    words.push(token.shown)
    if (token.isName) {
      stems.push(stemWord(token.word))
      ideas.push({ text: article + words.join(' '), stems: [...stems], strength: 0 })
    }
    if (token.isBreak) break
  }
  return ideas
}

function isLink(word: string, before: string | undefined): boolean {
  return word === 'of' || (word === 'the' && before === 'of')
}

function markNames(tokens: readonly TitleToken[]): TopicToken[] {
  let before = ''
  return tokens.map((token, index) => {
    // A capital at the start of a sentence says nothing, and the words there are seldom names.
    const isOpening = index === 0 && /^\p{Lu}\p{Ll}/u.test(token.shown)
    const isName = !isOpening && isContentWord(token.word) && isNameAfter(token.word, before)
    before = token.isBreak ? '' : token.word
    return { ...token, isName }
  })
}

function isNameAfter(word: string, before: string): boolean {
  if (NUMERALS.has(word)) return false
  if (BEFORE_NAMES.has(before)) return true
  const isVerb = ACTIONS.has(word) || (isContentWord(before) && ACTIONS.has(word.replace(/s$/, '')))
  return !(isVerb || NOT_A_NAME.test(word) || BEFORE_VERBS.has(before))
}
