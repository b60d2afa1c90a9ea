import fc from 'fast-check'
import { z } from 'zod'
import { AccountExport } from '#contract/account.ts'
import { AiUseAnswer, DebugListAnswer, DebugListRequest, DebugTimelineAnswer, Health } from '#contract/debug.ts'
import { FeedbackAnswer, FeedbackStatsAnswer, SubmitFeedback, SubmitImprovement } from '#contract/feedback.ts'
import {
  AccountLearnerAnswer,
  LearnerRequest,
  LearningAnswer,
  LearningExportRequest,
  LearningMetricsAnswer,
  LearningReport,
  SessionAnswer,
  SessionRequest,
} from '#contract/learning.ts'
import { LiveTicketAnswer } from '#contract/live.ts'
import {
  DeletedListAnswer,
  Done,
  ModuleAnswer,
  ModuleListAnswer,
  ModuleListRequest,
  ModulePatch,
  OpenedListAnswer,
  ReprocessAnswer,
  ReprocessRequest,
  VideoUrlAnswer,
} from '#contract/module.ts'
import { NamedQuestions, QuestionsAnswer } from '#contract/questions.ts'
import { OembedAnswer, OembedRequest, ShareAnswer } from '#contract/share.ts'
import { DecideProposal, DecideProposals, ProposalsAnswer, SaveSteps, StepsAnswer } from '#contract/step.ts'
import { RewriteAnswer, RewriteRequest } from '#contract/step-editing.ts'
import {
  CaptionsAnswer,
  CorrectionAnswer,
  CorrectSegment,
  CorrectTranscript,
  TranscriptAnswer,
} from '#contract/transcript.ts'
import {
  Conversation,
  SpokenQuestion,
  SpokenText,
  StopAnswer,
  TutorAnswerBody,
  TutorQuestion,
} from '#contract/tutor.ts'
import {
  AudioArrived,
  AudioUrlsRequest,
  CompleteAnswer,
  CompleteRequest,
  PartArrived,
  PartUrlsRequest,
  PresignAnswer,
  PresignRequest,
  UploadAnswer,
  UploadListAnswer,
  UrlsAnswer,
} from '#contract/upload.ts'

/** What a route takes and answers, as the contract has it. */
export interface RouteInputs {
  body?: z.ZodType
  query?: z.ZodType
  /** Of an answer 200 in JSON. */
  answer?: z.ZodType
  /** Bodies that are no JSON: what they begin with when they are right. */
  bytes?: 'image' | 'captions' | 'recording'
  /** Fails with a page for people instead of a problem document. */
  isPage?: true
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
const PART_NUMBERS = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 })
const PROPOSED = fc.constantFrom('p0', 'p1')
const LINE = { id: fc.constant('@segment@'), was: fc.constant('@segmentText@') }

/** Every route that takes or answers something; a test compares it with the matrix of who may do what. */
export const INPUTS: Record<string, RouteInputs> = {
  'GET /api/health': { answer: Health },
  'GET /api/oembed': {
    query: OembedRequest,
    answer: OembedAnswer,
    mayLack: true,
    meant: { format: fc.constant('json') },
  },

  'GET /api/modules': { query: ModuleListRequest, answer: ModuleListAnswer },
  'GET /api/modules/processing': { answer: ModuleListAnswer },
  'GET /api/modules/:moduleId': { answer: ModuleAnswer },
  'PATCH /api/modules/:moduleId': { body: ModulePatch, answer: Done },
  'DELETE /api/modules/:moduleId': { answer: Done, meant: DOOMED },
  'GET /api/modules/deleted': { answer: DeletedListAnswer },
  'POST /api/modules/:moduleId/restore': { answer: Done, meant: DOOMED },
  'PUT /api/modules/:moduleId/images/:name': { bytes: 'image' },
  'POST /api/modules/:moduleId/live-ticket': { answer: LiveTicketAnswer },
  'POST /api/modules/:moduleId/take-over': { answer: Done },

  'GET /api/modules/:moduleId/live': { headers: OPENING },

  'GET /api/opened-modules': { answer: OpenedListAnswer },
  'PUT /api/opened-modules/:moduleId': { answer: Done },
  'DELETE /api/opened-modules/:moduleId': { answer: Done },

  'GET /api/account/export': { answer: AccountExport },
  'DELETE /api/account': { body: NEARLY_ERASE },

  'GET /api/steps/:moduleId': { answer: StepsAnswer },
  'POST /api/steps/:moduleId': { body: SaveSteps, answer: StepsAnswer },
  'DELETE /api/steps/:moduleId': { answer: StepsAnswer },
  'POST /api/steps/:moduleId/rewrite': { body: RewriteRequest, answer: RewriteAnswer },
  'GET /api/steps/:moduleId/proposals': { answer: ProposalsAnswer },
  'POST /api/steps/:moduleId/proposals': {
    body: DecideProposals,
    answer: StepsAnswer,
    meant: { ids: fc.array(PROPOSED, { minLength: 1, maxLength: 2 }) },
  },
  'POST /api/steps/:moduleId/proposals/:stepId': {
    body: DecideProposal,
    answer: StepsAnswer,
    meant: { stepId: PROPOSED },
  },

  'GET /api/transcript/:moduleId': { answer: TranscriptAnswer },
  'PATCH /api/transcript/:moduleId': { body: CorrectTranscript, answer: CorrectionAnswer, meant: LINE },
  'PATCH /api/transcript/:moduleId/:segmentId': { body: CorrectSegment, answer: CorrectionAnswer, meant: LINE },
  'DELETE /api/transcript/:moduleId/orphaned': { answer: Done },
  'PUT /api/captions/:moduleId': { bytes: 'captions', answer: CaptionsAnswer },

  'GET /api/video-url/module/:moduleId': { answer: VideoUrlAnswer },
  'GET /api/video-url/url/:moduleId': { answer: VideoUrlAnswer },
  'GET /api/video-url/:moduleId': { answer: VideoUrlAnswer },

  'GET /api/share/:moduleId': { answer: ShareAnswer },
  'POST /api/share/:moduleId/live-ticket': {
    answer: LiveTicketAnswer,
    meant: { moduleId: fc.constantFrom('@sending@', '@ready@') },
  },
  'GET /share/:moduleId': { answer: ShareAnswer, isPage: true },
  'GET /embed/:moduleId': { isPage: true },

  'POST /api/learning-metrics': { body: LearningReport, answer: LearningAnswer },
  'POST /api/learning-metrics/account': { answer: AccountLearnerAnswer },
  'POST /api/learning-metrics/:moduleId/sessions': { body: SessionRequest, answer: SessionAnswer },
  'GET /api/learning-metrics/:moduleId/mine': { query: LearnerRequest, answer: LearningAnswer },
  'DELETE /api/learning-metrics/:moduleId/learners/:pseudonym': { answer: Done },
  'GET /api/learning-metrics/:moduleId': { answer: LearningMetricsAnswer },
  'GET /api/learning-metrics/:moduleId/export': { query: LearningExportRequest },

  'GET /api/questions/:moduleId': { answer: QuestionsAnswer },
  'POST /api/questions/:moduleId/settle': { body: NamedQuestions, answer: Done },
  'POST /api/questions/:moduleId/reopen': { body: NamedQuestions, answer: Done },

  'GET /api/debug/modules/debug': {
    query: DebugListRequest,
    answer: DebugListAnswer,
    meant: { status: fc.constantFrom('failed', 'ready', 'PROCESSING', 'orphaned') },
  },
  'GET /api/debug/modules/:moduleId': { answer: DebugTimelineAnswer },
  'GET /api/debug/usage': { answer: AiUseAnswer },

  'POST /api/reprocess/:moduleId': { body: ReprocessRequest, answer: ReprocessAnswer },

  'POST /api/feedback/submit': { body: SubmitFeedback, answer: FeedbackAnswer },
  'POST /api/feedback/improvement': { body: SubmitImprovement, answer: FeedbackAnswer },
  'GET /api/feedback/stats': { answer: FeedbackStatsAnswer },

  'POST /api/ai/contextual-response': { body: TutorQuestion, answer: TutorAnswerBody },
  'POST /api/ai/contextual-response/stream': { body: TutorQuestion },
  'POST /api/ai/contextual-response/stop': { body: StopAnswer, answer: Done },
  'GET /api/ai/conversation/:moduleId': { answer: Conversation },
  'DELETE /api/ai/conversation/:moduleId': { answer: Done },
  'POST /api/qa/ask': { body: SpokenQuestion, answer: TutorAnswerBody },
  'POST /api/qa/transcribe': {
    query: StopAnswer.pick({ moduleId: true }),
    bytes: 'recording',
    answer: SpokenText,
    mayLack: true,
  },

  'POST /api/presigned-upload/presigned-url': {
    body: PresignRequest,
    answer: PresignAnswer,
    meant: { contentType: fc.constantFrom('video/mp4', 'video/webm; codecs="vp9,opus"') },
  },
  'GET /api/upload': { answer: UploadListAnswer },
  'POST /api/upload/complete': { body: CompleteRequest, answer: CompleteAnswer },
  'GET /api/upload/:moduleId': { answer: UploadAnswer, meant: SENDING },
  'DELETE /api/upload/:moduleId': { answer: Done, meant: DOOMED },
  'POST /api/upload/:moduleId/part-urls': {
    body: PartUrlsRequest,
    answer: UrlsAnswer,
    meant: { ...SENDING, parts: PART_NUMBERS },
  },
  'PUT /api/upload/:moduleId/parts/:part': { body: PartArrived, answer: Done, meant: SENDING },
  'POST /api/upload/:moduleId/audio-urls': { body: AudioUrlsRequest, answer: UrlsAnswer, meant: SENDING },
  'POST /api/upload/:moduleId/audio': {
    body: AudioArrived,
    answer: Done,
    meant: { ...SENDING, parts: fc.constant([]) },
  },
}
