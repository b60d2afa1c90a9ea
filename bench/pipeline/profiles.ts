/** How long the hosted models take to answer. */
export interface Profile {
  /** Seconds of a call of the recogniser that do not depend on its length. */
  speechStartS: number
  /** Seconds of audio that are heard per second. */
  speechSpeed: number
  /** Seconds until the language model writes its first token, without the reading. */
  languageStartS: number
  readTokensPerS: number
  writtenTokensPerS: number
}

/**
 * Assumed, around what is published. The fast recogniser is Whisper large-v3-turbo at Groq (216 times real time,
 * console.groq.com/docs/speech-text), whose answers to 30 and 60 s take a few tenths of a second; for Workers AI only
 * short clips are told of, at 0.6–4 s (github.com/burgil/whisper-test). Nobody publishes how fast one stream of
 * Llama 3.3 70B is written there; 30–80 tokens a second is what such models are usually served at.
 */
export const PROFILES = {
  slow: { speechStartS: 1.5, speechSpeed: 20, languageStartS: 0.6, readTokensPerS: 5_000, writtenTokensPerS: 30 },
  mid: { speechStartS: 0.8, speechSpeed: 60, languageStartS: 0.6, readTokensPerS: 5_000, writtenTokensPerS: 50 },
  fast: { speechStartS: 0.5, speechSpeed: 216, languageStartS: 0.6, readTokensPerS: 5_000, writtenTokensPerS: 80 },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof PROFILES

/** About one step per minute, of about 110 tokens, and the braces around it. */
const WRITTEN_TOKENS_PER_MIN = 120
/** 150–200 spoken words with their segment numbers and times. */
const READ_TOKENS_PER_MIN = 260
/** The instructions, the same in every call. */
const PROMPT_TOKENS = 900
const MS_PER_MIN = 60_000

/** How long the recogniser takes for so much audio. */
export function speechCallMs(profile: Profile, audioMs: number): number {
  return profile.speechStartS * 1_000 + audioMs / profile.speechSpeed
}

/** How long the language model takes to write the steps of so much narration. */
export function languageCallMs(profile: Profile, narrationMs: number): number {
  const minutes = narrationMs / MS_PER_MIN
  const readS = (READ_TOKENS_PER_MIN * minutes + PROMPT_TOKENS) / profile.readTokensPerS
  const writtenS = (WRITTEN_TOKENS_PER_MIN * minutes) / profile.writtenTokensPerS
  return (profile.languageStartS + readS + writtenS) * 1_000
}

export function isProfileName(name: string): name is ProfileName {
  return name in PROFILES
}
