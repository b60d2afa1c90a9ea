// Behaviour: what a client may send as or about people, at least and at most: questions, feedback, what was learned, its
// records, and who is to learn it. Other programs and older pages keep to these numbers.
import { expect, it } from 'vitest'
import { GlossaryEdit } from '../account.ts'
import { DebugListRequest } from '../debug.ts'
import { SubmitFeedback, SubmitImprovement } from '../feedback/feedback.ts'
import { AskTrainer, NamedQuestions, NewAnswer } from '../feedback/questions.ts'
import { NewStepReport, SettledRequest, SettleReports } from '../feedback/step-report.ts'
import { LearnerToken, LearningReport } from '../learning.ts'
import { Quota } from '../problem.ts'
import { MatrixRequest } from '../records/matrix.ts'
import { ProofRequest } from '../records/proof.ts'
import { CorrectionRequest, ErasureRequest, RecordFilter } from '../records/record-list.ts'
import { SignOff, SignOffSettings } from '../records/sign-off.ts'
import { RecordBody, RecordKeeping, TrainingRecord } from '../records/training-record.ts'
import { Approval, NewCheck, NewComment, ReviewSchedule, SeenComments, SendBack } from '../review.ts'
import { NewAssignment, SettleRequest } from '../team/assignment.ts'
import { ConfirmTraining, EnterCode, LinkKey } from '../team/my-trainings.ts'
import { GroupEdit, ImportRequest, NewPerson, PeopleRequest } from '../team/people.ts'
import { type Bound, listOf, number, text, tryBounds, within } from '../testing/bounds.ts'
import { body, listRecords, PERSON } from '../testing/records.ts'
import { DuplicateRequest } from '../training/duplicate.ts'
import { EarlierTurn, LinkQuestion, TutorQuestion } from '../tutor.ts'
import { PublishRequest, VersionName } from '../version.ts'

const DAY_S = 86_400
const RATING = { type: 'transcription', action: 'worked', moduleId: 'm' }
const REPORT = { id: 'r'.repeat(16), stepId: 'a', kind: 'wrong' }
const ROW = { name: 'Anna', number: null, groups: [] }
const TURN = { question: 'Why?', answer: 'So.', meta: { isCovered: true, citations: [], step: null } }
/** Some JSON of so many characters: eight for `{"a":""}`. */
const json = (length: number) => ({ a: 'x'.repeat(length - 8) })
/** Base64 of so many bytes. */
const photo = (bytes: number) => btoa('x'.repeat(bytes))
const [RECORD] = listRecords([['2026-11-21T09:00:00.000Z', body.started()]])

const BOUNDS: Bound[] = [
  ['glossary', GlossaryEdit.shape.words, text, 0, 800],
  ['rows of the debug page', DebugListRequest, (limit) => ({ limit: String(limit) }), 1, 200],
  ['rated module', SubmitFeedback, within('moduleId', text, RATING), 1, 64],
  ['words to a rating', SubmitFeedback, within('userMessage', text, RATING), 0, 5_000],
  ['rated answer', SubmitFeedback, within('aiResponse', text, RATING), 0, 5_000],
  ['context', SubmitFeedback, within('context', text, RATING), 0, 2_000],
  ['context in JSON', SubmitFeedback, (size) => ({ ...RATING, context: size < 8 ? 1 : json(size) }), 8, 2_000],
  ['time of a rating', SubmitFeedback, within('timestamp', text, RATING), 0, 40],
  ['suggestion', SubmitImprovement.shape.feedback, text, 1, 5_000],
  ['settled questions', NamedQuestions.shape.ids, listOf('a'), 1, 1_000],
  ['id of a question', NamedQuestions.shape.ids, (size) => [text(size)], 1, 64],
  ['answered question', NewAnswer.shape.question, text, 1, 2_000],
  ['answer of a trainer', NewAnswer.shape.text, text, 1, 600],
  ['question to the trainer', AskTrainer.shape.question, text, 1, 2_000],
  ['place of it', AskTrainer.shape.videoTime, number, 0, DAY_S],
  ['step of it', AskTrainer.shape.stepId, text, 0, 64],
  ['report of a step', NewStepReport, within('text', text, REPORT), 0, 200],
  ['answer to a report', SettleReports.shape.answer, text, 0, 200],
  ['asked reports', SettledRequest, (count) => ({ ids: Array(count).fill(REPORT.id).join(',') }), 1, 20],
  ['token of a learner', LearnerToken, text, 0, 1_000],
  ['number of a report', LearningReport.shape.seq, number, 1, 1_000_000],
  ['module of a report', LearningReport.shape.moduleId, text, 1, 64],
  ['played pieces', LearningReport.shape.segments, listOf([0, 1]), 0, 200],
  ['position', LearningReport.shape.position, number, 0, DAY_S],
  ['time of playing', LearningReport.shape.playedAtMs, number, 0, 253_402_300_799_999],
  ['limit of a day', Quota.shape.limit, number, 0, null],
  ['message to the tutor', TutorQuestion.shape.userMessage, text, 1, 2_000],
  ['place of it', TutorQuestion.shape.videoTime, number, 0, DAY_S],
  ['step by a link', LinkQuestion.shape.stepId, text, 0, 64],
  ['turns before', LinkQuestion.shape.earlier, listOf(TURN), 0, 2],
  ['question before', EarlierTurn.shape.question, text, 0, 2_000],
  ['answer before', EarlierTurn.shape.answer, text, 0, 1_000],
  ['citations before', EarlierTurn.shape.meta, within('citations', listOf({ start: 0 }), TURN.meta), 0, 32],
  ['place before', EarlierTurn.shape.meta, (start) => ({ ...TURN.meta, citations: [{ start }] }), 0, DAY_S],
  ['step before', EarlierTurn.shape.meta, (size) => ({ ...TURN.meta, step: { id: text(size) } }), 0, 64],
  ['note of a version', PublishRequest.shape.note, text, 0, 1_000],
  ['number of a version', VersionName, number, 1, null],
  ['name of an approver', Approval.shape.name, text, 0, 100],
  ['words of an approver', Approval.shape.words, text, 0, 1_000],
  ['reason to send back', SendBack.shape.reason, text, 1, 1_000],
  ['name of a reviewer', NewComment.shape.name, text, 1, 100],
  ['comment', NewComment.shape.text, text, 1, 1_000],
  ['seen comments', SeenComments, number, 0, null],
  ['checked version', NewCheck.shape.published, number, 1, null],
  ['months between reviews', ReviewSchedule.shape.months, number, 1, 60],
  ['title of a copy', DuplicateRequest.shape.title, text, 1, 200],
  ['person of a proof', ProofRequest, within('person', text), 0, 64],
  ['training of a proof', ProofRequest, within('training', text), 0, 64],
  ['group of the matrix', MatrixRequest.shape.group, text, 1, 64],
  ['page of the matrix', MatrixRequest.shape.after, text, 0, 1_000],
  ['person of records', RecordFilter.shape.person, text, 0, 64],
  ['training of records', RecordFilter.shape.training, text, 0, 64],
  ['page of records', RecordFilter.shape.before, number, 1, null],
  ['reason of a correction', CorrectionRequest.shape.reason, text, 1, 1_000],
  ['name of who erases', ErasureRequest.shape.name, text, 1, 100],
  ['judged steps', SignOff.shape.steps, listOf({ step: 'a', isShown: true, note: '' }), 0, 600],
  ['judged step', SignOff.shape.steps, (size) => [{ step: text(size), isShown: true, note: '' }], 1, 64],
  ['note to it', SignOff.shape.steps, (size) => [{ step: 'a', isShown: true, note: text(size) }], 0, 1_000],
  ['photos', SignOff.shape.steps, listOf({ step: 'a', isShown: true, note: '', photo: 'a'.repeat(64) }), 0, 50],
  ['last seen record', SignOff.shape.seq, number, 0, null],
  ['name of a supervisor', SignOff.shape.name, text, 1, 100],
  ['meaning of a signature', SignOff.shape.meaning, text, 1, 1_000],
  ['minutes of a password', SignOffSettings.shape.passwordMinutes, number, 1, 1_440],
  ['months of keeping', RecordKeeping.shape.months, number, 12, 600],
  ['reason of a hold', RecordKeeping.shape.hold, text, 1, 1_000],
  ['number of a record', TrainingRecord, within('seq', number, RECORD), 1, null],
  ['organization of a record', TrainingRecord, within('organization', text, RECORD), 1, 64],
  ['assigned trainings', RecordBody, within('trainings', listOf('a'), body.assigned()), 1, null],
  ['assigned people', RecordBody, within('people', listOf(PERSON), body.assigned()), 1, null],
  ['recorded months', RecordBody, within('everyMonths', number, body.assigned()), 1, 120],
  ['trainings taken back', RecordBody, within('trainings', listOf('a'), body.unassigned()), 1, null],
  ['people taken back', RecordBody, within('people', listOf(PERSON), body.unassigned()), 1, null],
  ['played seconds', RecordBody, (seconds) => ({ ...body.reached(), seconds: [{ step: 'a', seconds }] }), 0, null],
  ['attempts', RecordBody, within('attempts', number, body.reached()), 1, null],
  ['confirmed words', RecordBody, within('words', text, body.confirmed()), 1, 1_000],
  ['their language', RecordBody, within('language', text, body.confirmed()), 0, 35],
  ['recorded meaning', RecordBody, within('meaning', text, body.signedOff()), 1, 1_000],
  ['refused steps', RecordBody, within('steps', listOf({ id: 'a', note: '' }), body.refused(['a'])), 1, null],
  [
    'note to a refused step',
    RecordBody,
    (size) => ({ ...body.refused([]), steps: [{ id: 'a', note: text(size) }] }),
    0,
    1_000,
  ],
  ['people to train again', RecordBody, within('people', listOf(PERSON), body.retraining(1, null)), 1, null],
  ['recorded reason', RecordBody, within('reason', text, body.corrected(1)), 1, 1_000],
  ['corrected record', RecordBody, (seq) => ({ ...body.corrected(1), of: { seq, hash: PERSON.commitment } }), 1, null],
  ['recorded version', RecordBody, (size) => body.started(size), 1, null],
  ['name of a person', NewPerson.shape.name, text, 1, 100],
  ['number of a person', NewPerson.shape.number, text, 1, 40],
  ['groups of a person', NewPerson.shape.groupIds, listOf('g'), 0, 20],
  ['id of a group', NewPerson.shape.groupIds, (size) => [text(size)], 1, 64],
  ['name of a group', GroupEdit.shape.name, text, 1, 100],
  ['imported rows', ImportRequest.shape.rows, listOf(ROW), 1, 500],
  ['groups of a row', ImportRequest.shape.rows, (count) => [{ ...ROW, groups: listOf('g')(count) }], 0, 20],
  ['searched person', PeopleRequest.shape.query, text, 0, 100],
  ['page of people', PeopleRequest.shape.after, text, 0, 400],
  ['assigned groups', NewAssignment.shape.groupIds, listOf('g'), 0, 200],
  ['people named in it', NewAssignment.shape.personIds, listOf('p'), 0, 200],
  ['id of one of them', NewAssignment.shape.personIds, (size) => [text(size)], 1, 64],
  ['days of an assignment', NewAssignment.shape.due, (days) => ({ kind: 'days', days }), 1, 3_650],
  ['months of an assignment', NewAssignment.shape.everyMonths, number, 1, 120],
  ['time zone', NewAssignment.shape.timeZone, text, 0, 64],
  ['people to settle', SettleRequest.shape.personIds, listOf('p'), 0, 500],
  ['key of a link', LinkKey, text, 1, 100],
  ['code of a person', EnterCode.shape.code, text, 0, 20],
  ['person who confirms', ConfirmTraining.shape.personId, text, 1, 64],
]

it.each(BOUNDS)('takes a client’s %s up to its bounds', (...bound) => {
  expect(tryBounds(bound)).toEqual([false, true, ...(bound[4] === null ? [] : [true, false])])
})

it('takes a photo of 150 kB with a report, and no larger one', () => {
  const takes = (bytes: number) => NewStepReport.safeParse({ ...REPORT, photo: photo(bytes) }).success
  expect([takes(153_600), takes(153_601)]).toEqual([true, false])
})

it('proves one person or one training', () => {
  expect(ProofRequest.safeParse({}).success).toBe(false)
  expect(ProofRequest.safeParse({ person: 'p', training: 't' }).success).toBe(false)
})
