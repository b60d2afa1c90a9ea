import { regionalTagOf } from '#contract/languages.ts'
import { hasCommands, phrasesOf, readCommand } from '#web/features/tutor/voice/read-command.ts'

/** What a learner whose hands are busy says to the page. */
export const FOLLOW_COMMANDS = ['next', 'back', 'repeat', 'slower', 'stop'] as const
export type FollowCommand = (typeof FOLLOW_COMMANDS)[number]

/** The language whose words are understood: the video's own where there are words for it, else English. BCP 47. */
export function commandLanguage(language: string | null): string {
  return regionalTagOf(language !== null && hasCommands(language) ? language : 'en')
}

/** The word to say for each command. */
export function listWords(language: string): string[] {
  const phrases = phrasesOf(language)
  return FOLLOW_COMMANDS.map((command) => phrases[command === 'back' ? 'previous' : command][0])
}

/** The command that a phrase is, said alone; null for all else that is said beside a machine. */
export function readFollowCommand(phrase: string, language: string): FollowCommand | null {
  const command = readCommand(phrase, language)
  if (command === 'previous') return 'back'
  return FOLLOW_COMMANDS.find((each) => each === command) ?? null
}
