/** What a learner with both hands busy asks of the video. */
export type VideoCommand = 'next' | 'previous' | 'repeat' | 'slower' | 'faster' | 'stop'
/** `send`: sends the question that was dictated before. */
export type VoiceCommand = VideoCommand | 'send'

/** Said alone and as it stands. Anything longer is a question, since people ask for the next step in whole sentences. */
const PHRASES: Record<VoiceCommand, readonly string[]> = {
  next: ['next', 'next step', 'go to the next step', 'go to next step', 'skip', 'skip this step', 'skip step'],
  previous: [
    'previous',
    'previous step',
    'last step',
    'step back',
    'go back',
    'go back a step',
    'back one step',
    'go to the previous step',
    'go to previous step',
  ],
  repeat: [
    'repeat',
    'repeat that',
    'repeat this',
    'repeat step',
    'repeat the step',
    'repeat this step',
    'again',
    'once more',
    'one more time',
    'play that again',
    'play it again',
  ],
  slower: ['slower', 'slow down', 'go slower', 'play slower', 'a bit slower'],
  faster: ['faster', 'speed up', 'go faster', 'play faster', 'a bit faster'],
  stop: [
    'stop',
    'pause',
    'stop it',
    'stop the video',
    'pause the video',
    'stop video',
    'pause video',
    'be quiet',
    'quiet',
  ],
  send: ['send', 'send it', 'send that', 'ask it', 'send question', 'send the question'],
}

const COMMANDS = new Map(
  Object.entries(PHRASES).flatMap(([command, phrases]) =>
    phrases.map((phrase) => [phrase, command as VoiceCommand] as const),
  ),
)

/** The longest command with some politeness around it. */
const COMMAND_MAX_CHARS = 80
/** Said beside a command without changing it. */
const POLITE = /^(?:(?:ok|okay|please|now|hey) )+|(?: (?:please|now|thanks|thank you))+$/g

/** The command that a phrase is; null for everything else, which is a question. */
export function readCommand(phrase: string): VoiceCommand | null {
  if (phrase.length > COMMAND_MAX_CHARS) return null
  const words = phrase
    .toLowerCase()
    .replace(/[^\p{L}\s?]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return COMMANDS.get(words.replace(POLITE, '')) ?? null
}
