import { z } from 'zod'
import { Success } from '../problem.ts'

/** Rows of one printed list; a larger one is printed in parts, as the export holds all. */
export const PROOF_ROWS_MAX = 1_000

/** Of whom, or of which training, a proof is printed. One of them is given. */
export const ProofRequest = z
  .strictObject({ person: z.string().max(64).optional(), training: z.string().max(64).optional() })
  .refine(({ person, training }) => (person === undefined) !== (training === undefined), 'needs a person or a training')
export type ProofRequest = z.infer<typeof ProofRequest>

/** What somebody has put their name to. The words are empty where the record was removed after its time. */
const Signature = z.object({ time: z.string(), name: z.string(), words: z.string() })

/** A person and a training of which something is recorded. */
const ProofRow = z.object({
  person: z.object({ id: z.string(), name: z.string(), number: z.string().nullable() }),
  training: z.object({
    id: z.string(),
    /** Null for one that is gone. */
    title: z.string().nullable(),
    /** Of the newest version that something is recorded of. */
    number: z.number().int(),
    hash: z.string(),
  }),
  doneAt: z.string().nullable(),
  reachedAt: z.string().nullable(),
  confirmed: Signature.nullable(),
  signedOff: Signature.nullable(),
})
/** What one line of a certificate or list shows. */
export type ProofRow = z.infer<typeof ProofRow>

/** Answer of `GET /api/records/proof`: a certificate, or an attendance list. */
export const ProofAnswer = Success.extend({
  /** By the name of the person or training. */
  rows: z.array(ProofRow),
  /** Number of the last record of the list when this was read, and when. */
  seq: z.number().int(),
  time: z.string(),
})
export type ProofAnswer = z.infer<typeof ProofAnswer>
