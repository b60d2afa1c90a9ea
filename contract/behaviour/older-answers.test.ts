// Behaviour: pages read answers of servers that are older than they are, and copies on devices, which lack newer fields.
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { SubmitImprovement } from '../feedback/feedback.ts'
import { NewAnswer } from '../feedback/questions.ts'
import { StepMetrics } from '../learning.ts'
import { Module } from '../module.ts'
import { Step } from '../step.ts'
import { makeModule, makeStep } from '../testing/examples.ts'
import { CaptionsAnswer, TranscriptAnswer, TranscriptSegment } from '../transcript.ts'
import { UploadListAnswer } from '../upload.ts'
import { VersionsAnswer } from '../version.ts'

const METRICS = {
  stepId: 'a',
  title: 'Lift',
  start: 0,
  end: 5,
  reached: 0,
  finished: 0,
  rewatched: 0,
  left: 0,
  questions: 0,
}

const LACKING: [string, z.ZodType, object, object][] = [
  [
    'a module',
    Module,
    makeModule({ hasLinkPassword: undefined, takesReports: undefined, publishedVersion: undefined } as object),
    { hasLinkPassword: false, takesReports: false, publishedVersion: null },
  ],
  [
    'a step',
    Step,
    makeStep('a', 0, {
      notesQuotable: undefined,
      notesEdited: undefined,
      callouts: undefined,
      imageText: undefined,
    } as object),
    { notesQuotable: false, notesEdited: false, callouts: [], imageText: '' },
  ],
  ['a line', TranscriptSegment, { id: 's', start: 0, end: 1, text: 'Lift', confidence: null }, { isEdited: false }],
  [
    'a transcript',
    TranscriptAnswer,
    { success: true, source: null, language: null, segments: [] },
    { isRough: false, withoutSpeech: [], orphaned: [] },
  ],
  ['captions', CaptionsAnswer, { success: true, cues: 1 }, { encoding: 'utf-8', repairCount: 0, shift: null }],
  ['the numbers of a step', StepMetrics, METRICS, { reports: 0 }],
  ['uploads', UploadListAnswer, { success: true, uploads: [] }, { maxBytes: null }],
  [
    'versions',
    VersionsAnswer,
    { success: true, published: null, versions: [] },
    { publishers: 'anyone', mayPublish: true, trained: 0, review: null },
  ],
  ['an answer of a trainer', NewAnswer, { ids: ['q'], question: 'Why?', text: 'So.' }, { inPrint: false }],
  ['a suggestion', SubmitImprovement, { moduleId: 'm', feedback: 'Louder' }, { type: 'ai_improvement' }],
]

it.each(LACKING)('reads %s that lacks what came later', (_what, schema, older, filled) => {
  expect(schema.parse(older)).toMatchObject(filled)
})
