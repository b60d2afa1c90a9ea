import { z } from 'zod'
import { MODULE_TITLE_MAX_CHARS } from './limits.ts'
import { Module } from './module.ts'

/** Query of `GET /api/modules/search`. */
export const SearchRequest = z.strictObject({ query: z.string().max(MODULE_TITLE_MAX_CHARS) })
export type SearchRequest = z.infer<typeof SearchRequest>

/** A text, and which of its characters were searched for: from the first to before the second number, in order. */
export const MarkedText = z.object({ text: z.string(), marks: z.array(z.tuple([z.number(), z.number()])) })
export type MarkedText = z.infer<typeof MarkedText>

/** A moment of a module that has what was searched for. */
export const SearchHit = z.object({
  /** Whether the title or text of a step has it, what was said, or the screen. */
  kind: z.enum(['step', 'said', 'screen']),
  /** Title of the step at that moment; null where the text is that title, or there is no step. */
  step: z.string().nullable(),
  text: MarkedText,
  /** Seconds into the video. */
  start: z.number(),
})
export type SearchHit = z.infer<typeof SearchHit>

/** Answer of `GET /api/modules/search`: modules of the caller's list whose steps, speech or screen have what is asked. */
export const SearchAnswer = z.object({
  success: z.literal(true),
  /** The best first. */
  found: z.array(z.object({ module: Module, hits: z.array(SearchHit) })),
})
export type SearchAnswer = z.infer<typeof SearchAnswer>
