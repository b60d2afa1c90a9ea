// Behaviour: what a person types loses the blanks around it, wherever it is sent, and blanks alone are nothing.
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { GlossaryEdit } from '../account.ts'
import { NewCollection } from '../collection.ts'
import { SubmitImprovement } from '../feedback/feedback.ts'
import { AskTrainer, NewAnswer } from '../feedback/questions.ts'
import { SettleReports } from '../feedback/step-report.ts'
import { ModulePatch } from '../module.ts'
import { CorrectionRequest, ErasureRequest } from '../records/record-list.ts'
import { SignOff } from '../records/sign-off.ts'
import { RecordKeeping } from '../records/training-record.ts'
import { Approval, NewComment, SendBack } from '../review.ts'
import { ScreenCorrection } from '../screen.ts'
import { UnlockRequest } from '../share.ts'
import { Callout, ProposedCallout } from '../step.ts'
import { RewriteRequest } from '../step-editing.ts'
import { NewPerson, PeopleRequest } from '../team/people.ts'
import { DuplicateRequest } from '../training/duplicate.ts'
import { CorrectSegment } from '../transcript.ts'
import { TutorQuestion } from '../tutor.ts'
import { PresignRequest } from '../upload.ts'
import { PublishRequest } from '../version.ts'

const NEEDED: [string, z.ZodType][] = [
  ['title', ModulePatch.shape.title],
  ['title of a copy', DuplicateRequest.shape.title],
  ['title of a collection', NewCollection.shape.title],
  ['password', ModulePatch.shape.linkPassword],
  ['callout', Callout.shape.text],
  ['quote', ProposedCallout.shape.quote],
  ['line', CorrectSegment.shape.text],
  ['text on the screen', ScreenCorrection.shape.text],
  ['text to rewrite', RewriteRequest.shape.text],
  ['file name', PresignRequest.shape.filename],
  ['message', TutorQuestion.shape.userMessage],
  ['question', AskTrainer.shape.question],
  ['answered question', NewAnswer.shape.question],
  ['answer', NewAnswer.shape.text],
  ['suggestion', SubmitImprovement.shape.feedback],
  ['name of a person', NewPerson.shape.name],
  ['name of a reviewer', NewComment.shape.name],
  ['comment', NewComment.shape.text],
  ['reason to send back', SendBack.shape.reason],
  ['reason of a correction', CorrectionRequest.shape.reason],
  ['reason of a hold', RecordKeeping.shape.hold],
  ['name of who erases', ErasureRequest.shape.name],
  ['name of a supervisor', SignOff.shape.name],
  ['meaning of a signature', SignOff.shape.meaning],
]
const FREE: [string, z.ZodType][] = [
  ['glossary', ModulePatch.shape.glossary],
  ['glossary of an organization', GlossaryEdit.shape.words],
  ['entered password', UnlockRequest.shape.password],
  ['instruction', RewriteRequest.shape.instruction],
  ['note of a version', PublishRequest.shape.note],
  ['name of an approver', Approval.shape.name],
  ['words of an approver', Approval.shape.words],
  ['answer to a report', SettleReports.shape.answer],
  ['searched person', PeopleRequest.shape.query],
]

it.each([...NEEDED, ...FREE])('takes the blanks around a %s away', (_, schema) => {
  expect(schema.parse(' lift it up ')).toBe('lift it up')
})

it.each(NEEDED)('refuses a %s of blanks alone', (_, schema) => {
  expect(schema.safeParse('        ').success).toBe(false)
})

it.each(FREE)('takes a %s of blanks alone for an empty one', (_, schema) => {
  expect(schema.parse('  ')).toBe('')
})
