import fc from 'fast-check'
import { z } from 'zod'
import * as account from '#contract/account.ts'
import * as collection from '#contract/collection.ts'
import * as debug from '#contract/debug.ts'
import * as feedback from '#contract/feedback.ts'
import * as learning from '#contract/learning.ts'
import * as live from '#contract/live.ts'
import * as module from '#contract/module.ts'
import * as questions from '#contract/questions.ts'
import * as search from '#contract/search.ts'
import * as share from '#contract/share.ts'
import * as step from '#contract/step.ts'
import * as editing from '#contract/step-editing.ts'
import * as transcript from '#contract/transcript.ts'
import * as translation from '#contract/translation.ts'
import * as tutor from '#contract/tutor.ts'
import * as upload from '#contract/upload.ts'

/** What a route takes and answers, as the contract has it. */
export interface RouteInputs {
  body?: z.ZodType
  query?: z.ZodType
  /** Of an answer 200 in JSON. */
  answer?: z.ZodType
  /** Bodies that are no JSON: what they begin with when they are right. */
  bytes?: 'image' | 'captions' | 'recording'
  /** Says of itself that it cannot do something, which is no fault. */
  mayLack?: true
  /** What it is asked with beside what its input says. */
  headers?: [name: string, value: string][]
  /** Values that mean something to this route, by the name of the field or parameter. */
  meant?: Record<string, fc.Arbitrary<unknown>>
}

/** How a socket is opened (RFC 6455 §1.3). */
const OPENING: [string, string][] = [
  ['upgrade', 'websocket'],
  ['connection', 'Upgrade'],
  ['sec-websocket-version', '13'],
  ['sec-websocket-key', 'dGhlIHNhbXBsZSBub25jZQ=='],
]

/** Cases about these would leave the others without modules. */
const DOOMED = { moduleId: fc.constantFrom('@doomed@', '@doomedUpload@') }
/** The right word would leave the others without anything. */
const NEARLY_ERASE = z.strictObject({ confirm: z.enum(['Erase', 'erase ', 'yes']) })
/** A video of three parts that is on its way. */
const SENDING = {
  moduleId: fc.constant('@sending@'),
  part: fc.constantFrom('1', '2', '3'),
  sizeBytes: fc.constantFrom(8 * 1024 * 1024, 4 * 1024 * 1024),
}
/** Another one would leave it with other parts. */
const SAME_SIZE = { ...SENDING, sizeBytes: fc.constant(20 * 1024 * 1024) }
const PART_NUMBERS = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 })
const PROPOSED = fc.constantFrom('p0', 'p1')
const LINE = { id: fc.constant('@segment@'), was: fc.constant('@segmentText@') }

/** Every route that takes or answers something; a test compares it with the matrix of who may do what. */
export const INPUTS: Record<string, RouteInputs> = {
  'GET /api/health': { answer: debug.Health },
  'GET /api/oembed': {
    query: share.OembedRequest,
    answer: share.OembedAnswer,
    mayLack: true,
    meant: { format: fc.constant('json') },
  },

  'GET /api/modules': { query: module.ModuleListRequest, answer: module.ModuleListAnswer },
  'GET /api/modules/search': { query: search.SearchRequest, answer: search.SearchAnswer },
  'GET /api/modules/processing': { answer: module.ModuleListAnswer },
  'GET /api/modules/:moduleId': { answer: module.ModuleAnswer },
  'PATCH /api/modules/:moduleId': { body: module.ModulePatch, answer: module.Done },
  'DELETE /api/modules/:moduleId': { answer: module.Done, meant: DOOMED },
  'GET /api/modules/:moduleId/languages': { answer: translation.LanguagesAnswer },
  'GET /api/modules/:moduleId/translations/:language': { answer: translation.TranslationAnswer },
  'PUT /api/modules/:moduleId/translations/:language': { body: translation.TranslationEdit, answer: module.Done },
  'GET /api/modules/deleted': { answer: module.DeletedListAnswer },
  'POST /api/modules/:moduleId/restore': { answer: module.Done, meant: DOOMED },
  'PUT /api/modules/:moduleId/images/:name': { bytes: 'image' },
  'POST /api/modules/:moduleId/live-ticket': { answer: live.LiveTicketAnswer },
  'POST /api/modules/:moduleId/take-over': { answer: module.Done },

  'GET /api/modules/:moduleId/live': { headers: OPENING },

  'GET /api/opened-modules': { answer: module.OpenedListAnswer },
  'PUT /api/opened-modules/:moduleId': { answer: module.Done },
  'DELETE /api/opened-modules/:moduleId': { answer: module.Done },

  'GET /api/collections': { answer: collection.CollectionListAnswer },
  'POST /api/collections': { body: collection.NewCollection, answer: collection.CollectionAnswer },
  'GET /api/collections/:collectionId': { answer: collection.CollectionAnswer },
  'PATCH /api/collections/:collectionId': {
    body: collection.CollectionPatch,
    answer: collection.CollectionAnswer,
    meant: { moduleIds: fc.array(fc.constantFrom('@ready@', '@hidden@', '@sending@'), { maxLength: 3 }) },
  },
  // Another one would leave the others without.
  'DELETE /api/collections/:collectionId': {
    answer: module.Done,
    meant: { collectionId: fc.constant('x'.repeat(22)) },
  },

  'GET /api/account/export': { answer: account.AccountExport },
  'DELETE /api/account': { body: NEARLY_ERASE },
  'GET /api/account/glossary': { answer: account.GlossaryAnswer },
  'PUT /api/account/glossary': { body: account.GlossaryEdit },

  'GET /api/steps/:moduleId': { answer: step.StepsAnswer },
  'POST /api/steps/:moduleId': { body: step.SaveSteps, answer: step.StepsAnswer },
  'DELETE /api/steps/:moduleId': { answer: step.StepsAnswer },
  'POST /api/steps/:moduleId/rewrite': { body: editing.RewriteRequest, answer: editing.RewriteAnswer },
  'GET /api/steps/:moduleId/proposals': { answer: step.ProposalsAnswer },
  'PUT /api/steps/:moduleId/proposals': { body: step.OfferScenes, answer: step.ProposalsAnswer },
  'POST /api/steps/:moduleId/proposals': {
    body: step.DecideProposals,
    answer: step.StepsAnswer,
    meant: { ids: fc.array(PROPOSED, { minLength: 1, maxLength: 2 }) },
  },
  'POST /api/steps/:moduleId/proposals/:stepId': {
    body: step.DecideProposal,
    answer: step.StepsAnswer,
    meant: { stepId: PROPOSED },
  },

  'GET /api/transcript/:moduleId': { answer: transcript.TranscriptAnswer },
  'PATCH /api/transcript/:moduleId': {
    body: transcript.CorrectTranscript,
    answer: transcript.CorrectionAnswer,
    meant: LINE,
  },
  'PATCH /api/transcript/:moduleId/:segmentId': {
    body: transcript.CorrectSegment,
    answer: transcript.CorrectionAnswer,
    meant: LINE,
  },
  'DELETE /api/transcript/:moduleId/orphaned': { answer: module.Done },
  'PUT /api/captions/:moduleId': { bytes: 'captions', answer: transcript.CaptionsAnswer },

  'GET /api/video-url/module/:moduleId': { answer: module.VideoUrlAnswer },
  'GET /api/video-url/url/:moduleId': { answer: module.VideoUrlAnswer },
  'GET /api/video-url/:moduleId': { answer: module.VideoUrlAnswer },

  'GET /api/share/:moduleId': { answer: share.ShareAnswer },
  'POST /api/share/:moduleId/live-ticket': {
    answer: live.LiveTicketAnswer,
    meant: { moduleId: fc.constantFrom('@sending@', '@ready@') },
  },
  'POST /api/share/:moduleId/questions': { body: tutor.LinkQuestion, answer: tutor.TutorAnswerBody },
  'GET /share/:moduleId': { answer: share.ShareAnswer },

  'POST /api/learning-metrics': { body: learning.LearningReport, answer: learning.LearningAnswer },
  'POST /api/learning-metrics/account': { answer: learning.AccountLearnerAnswer },
  'POST /api/learning-metrics/:moduleId/sessions': { body: learning.SessionRequest, answer: learning.SessionAnswer },
  'GET /api/learning-metrics/:moduleId/mine': { query: learning.LearnerRequest, answer: learning.LearningAnswer },
  'DELETE /api/learning-metrics/:moduleId/learners/:pseudonym': { answer: module.Done },
  'GET /api/learning-metrics/:moduleId': { answer: learning.LearningMetricsAnswer },
  'GET /api/learning-metrics/:moduleId/export': { query: learning.LearningExportRequest },

  'GET /api/questions/:moduleId': { answer: questions.QuestionsAnswer },
  'POST /api/questions/:moduleId/settle': { body: questions.NamedQuestions, answer: module.Done },
  'POST /api/questions/:moduleId/reopen': { body: questions.NamedQuestions, answer: module.Done },

  'GET /api/debug/modules/debug': {
    query: debug.DebugListRequest,
    answer: debug.DebugListAnswer,
    meant: { status: fc.constantFrom('failed', 'ready', 'PROCESSING', 'orphaned') },
  },
  'GET /api/debug/modules/:moduleId': { answer: debug.DebugTimelineAnswer },
  'GET /api/debug/usage': { answer: debug.AiUseAnswer },

  'POST /api/reprocess/:moduleId': { body: module.ReprocessRequest, answer: module.ReprocessAnswer },

  'POST /api/feedback/submit': { body: feedback.SubmitFeedback, answer: feedback.FeedbackAnswer },
  'POST /api/feedback/improvement': { body: feedback.SubmitImprovement, answer: feedback.FeedbackAnswer },
  'GET /api/feedback/stats': { answer: feedback.FeedbackStatsAnswer },

  'POST /api/ai/contextual-response': { body: tutor.TutorQuestion, answer: tutor.TutorAnswerBody },
  'POST /api/ai/contextual-response/stream': { body: tutor.TutorQuestion },
  'POST /api/ai/contextual-response/stop': { body: tutor.StopAnswer, answer: module.Done },
  'GET /api/ai/conversation/:moduleId': { answer: tutor.Conversation },
  'DELETE /api/ai/conversation/:moduleId': { answer: module.Done },
  'POST /api/qa/ask': { body: tutor.SpokenQuestion, answer: tutor.TutorAnswerBody },
  'POST /api/qa/transcribe': {
    query: tutor.SpokenRequest,
    bytes: 'recording',
    answer: tutor.SpokenText,
    mayLack: true,
  },

  'POST /api/presigned-upload/presigned-url': {
    body: upload.PresignRequest,
    answer: upload.PresignAnswer,
    meant: { contentType: fc.constantFrom('video/mp4', 'video/webm; codecs="vp9,opus"') },
  },
  'GET /api/upload': { answer: upload.UploadListAnswer },
  'POST /api/upload/complete': { body: upload.CompleteRequest, answer: upload.CompleteAnswer },
  'GET /api/upload/:moduleId': { answer: upload.UploadAnswer, meant: SENDING },
  'PATCH /api/upload/:moduleId': { body: upload.UploadPatch, answer: upload.UploadAnswer, meant: SAME_SIZE },
  'DELETE /api/upload/:moduleId': { answer: module.Done, meant: DOOMED },
  'POST /api/upload/:moduleId/part-urls': {
    body: upload.PartUrlsRequest,
    answer: upload.UrlsAnswer,
    meant: { ...SENDING, parts: PART_NUMBERS },
  },
  'PUT /api/upload/:moduleId/parts/:part': { body: upload.PartArrived, answer: module.Done, meant: SENDING },
  'POST /api/upload/:moduleId/audio-urls': { body: upload.AudioUrlsRequest, answer: upload.UrlsAnswer, meant: SENDING },
  'POST /api/upload/:moduleId/audio': {
    body: upload.AudioArrived,
    answer: module.Done,
    meant: { ...SENDING, parts: fc.constant([]) },
  },
}
