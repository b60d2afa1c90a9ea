import { z } from 'zod'
import { Success } from '../problem.ts'
import { ShownPhoto } from './record-list.ts'

/** Rows of one printed list; a larger one is printed in parts, as the export holds all. */
export const PROOF_ROWS_MAX = 1_000

/** Of whom, or of which training, a proof is printed. One of them is given. */
export const ProofRequest = z
  .strictObject({ person: z.string().max(64).optional(), training: z.string().max(64).optional() })
  .refine(({ person, training }) => (person === undefined) !== (training === undefined), 'needs a person or a training')
export type ProofRequest = z.infer<typeof ProofRequest>

/** A part of the rule that was met, with the number of the version. */
const Fact = z.object({ time: z.string(), version: z.number().int() })

/** What somebody has put their name to. */
const Signature = Fact.extend({
  /** The name of then: empty where it was erased, null where the record was removed after its time. */
  name: z.string().nullable(),
  /** Empty where the record was removed. */
  words: z.string(),
})

/** What a supervisor took photos of at one visit, of what was shown. */
const VisitPhotos = z.object({
  /** Number of the record. */
  seq: z.number().int(),
  photos: z.array(ShownPhoto),
})

/** A person and a training of which something is recorded. */
const ProofRow = z.object({
  /** With the name of the last record of it, or of now where that was removed. */
  person: z.object({ id: z.string(), name: z.string(), number: z.string().nullable() }),
  training: z.object({
    id: z.string(),
    /** Null for one that is gone. */
    title: z.string().nullable(),
    /** Of the version that was done; where none was, of the newest that something is recorded of. */
    number: z.number().int(),
    hash: z.string(),
  }),
  doneAt: z.string().nullable(),
  reached: Fact.nullable(),
  confirmed: Signature.nullable(),
  signedOff: Signature.extend({
    ...VisitPhotos.shape,
    /** Of earlier visits for this signature, which asked for other steps again. */
    earlier: z.array(VisitPhotos),
  }).nullable(),
})
/** What one line of a certificate or list shows. */
export type ProofRow = z.infer<typeof ProofRow>

/** Answer of `GET /api/records/proof`: a certificate, or an attendance list. */
export const ProofAnswer = Success.extend({
  /** By the name of the person or training. */
  rows: z.array(ProofRow),
  /** Whether there is more than {@link PROOF_ROWS_MAX}. */
  isCut: z.boolean(),
  /** Number of the last record of the list when this was read, and when. */
  seq: z.number().int(),
  time: z.string(),
})
export type ProofAnswer = z.infer<typeof ProofAnswer>
