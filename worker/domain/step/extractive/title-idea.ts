/** A possible title, before it is polished. */
export interface TitleIdea {
  text: string
  /** Stems of its content words, a leading verb included; they carry its meaning. */
  stems: string[]
  /** How surely it is an instruction: 0 for a bare topic, 1 for an imperative. */
  strength: number
}
