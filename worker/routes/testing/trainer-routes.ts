import fc from 'fast-check'
import * as collection from '#contract/collection.ts'
import * as cuts from '#contract/cuts.ts'
import * as questions from '#contract/feedback/questions.ts'
import * as report from '#contract/feedback/step-report.ts'
import * as image from '#contract/image.ts'
import * as live from '#contract/live.ts'
import * as module from '#contract/module.ts'
import * as review from '#contract/review.ts'
import * as screen from '#contract/screen.ts'
import * as search from '#contract/search.ts'
import * as smallCopy from '#contract/small-copy.ts'
import * as step from '#contract/step.ts'
import * as editing from '#contract/step-editing.ts'
import * as duplicate from '#contract/training/duplicate.ts'
import * as invitation from '#contract/training/invitation.ts'
import * as recording from '#contract/training/recording.ts'
import * as removed from '#contract/training/removed-step.ts'
import * as transcript from '#contract/transcript.ts'
import * as translation from '#contract/translation.ts'
import * as upload from '#contract/upload.ts'
import * as version from '#contract/version.ts'
import { NOTHING, type RouteRow, WRITTEN_BEFORE } from './route-row.ts'

const STEP = { id: 'a', title: 'Secure the car', description: 'Park on level ground.', start: 6, end: 18 }
/** How a socket is opened (RFC 6455 §1.3). */
const OPENING: [string, string][] = [
  ['upgrade', 'websocket'],
  ['connection', 'Upgrade'],
  ['sec-websocket-version', '13'],
  ['sec-websocket-key', 'dGhlIHNhbXBsZSBub25jZQ=='],
]
/** Cases about these would leave the others without modules. */
const DOOMED = { moduleId: fc.constantFrom('@doomed@', '@doomedUpload@') }
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
const VIDEOS = 'videos that are begun'

/** Routes that trainers call to upload, list, edit and group their modules. */
export const TRAINER_ROUTES: Record<string, RouteRow> = {
  'GET /api/modules': { access: 'user', query: module.ModuleListRequest, answer: module.ModuleListAnswer },
  'GET /api/modules/search': {
    access: 'user',
    search: 'query=tyre',
    query: search.SearchRequest,
    answer: search.SearchAnswer,
  },
  'GET /api/modules/processing': { access: 'user', answer: module.ModuleListAnswer },
  'GET /api/modules/:moduleId': { access: 'viewer', answer: module.ModuleAnswer },
  'PATCH /api/modules/:moduleId': {
    access: 'owner',
    json: { title: 'Another' },
    body: module.ModulePatch,
    answer: module.Done,
  },
  // The planted module has no video.
  'POST /api/modules/:moduleId/duplicate': {
    access: 'owner',
    ok: 409,
    json: { title: 'Copy' },
    body: duplicate.DuplicateRequest,
    answer: duplicate.DuplicateAnswer,
  },
  'POST /api/modules/:moduleId/link': {
    access: 'owner',
    json: { forwards: true },
    body: module.NewLink,
    answer: module.NewLinkAnswer,
  },
  'DELETE /api/modules/:moduleId': {
    access: 'deleter',
    answer: module.Done,
    meant: DOOMED,
    rows: 'restoring, which reserves rows',
  },
  'GET /api/modules/:moduleId/languages': { access: 'owner', answer: translation.LanguagesAnswer },
  'GET /api/modules/:moduleId/translations/:language': { access: 'owner', answer: translation.TranslationAnswer },
  'PUT /api/modules/:moduleId/translations/:language': {
    access: 'owner',
    json: { item: 'title', texts: ['Cambiar el filtro'] },
    body: translation.TranslationEdit,
    answer: module.Done,
  },
  'GET /api/modules/deleted': { access: 'user', answer: module.DeletedListAnswer },
  'POST /api/modules/:moduleId/take-over': { access: 'manager', answer: module.Done },
  'POST /api/modules/:moduleId/restore': { access: 'deleter', answer: module.Done, meant: DOOMED },
  'PUT /api/modules/:moduleId/images/:name': {
    access: 'owner',
    ok: 415,
    text: 'no picture',
    bytes: 'image',
    query: image.ImageQuery,
    meant: { videoId: fc.constant('@ready@') },
  },
  'GET /api/modules/small-copies': { access: 'user', answer: smallCopy.SmallCopiesAnswer },
  'POST /api/modules/:moduleId/small-copy': {
    access: 'owner',
    ok: 413,
    json: { sizeBytes: 1_000_000 },
    body: smallCopy.SmallCopyRequest,
    answer: smallCopy.SmallCopyUrlAnswer,
  },
  'PUT /api/modules/:moduleId/small-copy': {
    access: 'owner',
    json: { savesTooLittle: true },
    body: smallCopy.SmallCopyArrived,
    answer: module.Done,
  },
  'GET /api/modules/:moduleId/screen': { access: 'owner', answer: screen.ScreenAnswer },
  'PUT /api/modules/:moduleId/screen': {
    access: 'owner',
    json: { readMs: 0, isDone: true, secrets: [], blocks: [] },
    body: screen.ScreenReadingSent,
    answer: module.Done,
  },
  'PUT /api/modules/:moduleId/screen/corrections': {
    access: 'owner',
    json: { readText: 'ls -al', startMs: 0, endMs: 1_000, text: 'ls -a', kind: 'command', isHidden: false },
    body: screen.ScreenCorrection,
    answer: module.Done,
  },
  'GET /api/modules/:moduleId/transcript.txt': { access: 'owner' },
  'GET /api/modules/:moduleId/files.zip': { access: 'owner' },
  'POST /api/modules/:moduleId/live-ticket': { access: 'viewer', answer: live.LiveTicketAnswer, rows: NOTHING },
  'GET /api/modules/:moduleId/live': { access: 'ticket', ok: 426, fuzzHeaders: OPENING },

  'GET /api/opened-modules': { access: 'user', answer: module.OpenedListAnswer },
  'PUT /api/opened-modules/:moduleId': { access: 'viewer', answer: module.Done },
  // Takes a training off the caller's own list, whatever has become of it.
  'DELETE /api/opened-modules/:moduleId': { access: 'user', answer: module.Done, rows: WRITTEN_BEFORE },

  'GET /api/invitations/:moduleId': { access: 'owner', answer: invitation.InvitationsAnswer },
  'POST /api/invitations/:moduleId': {
    access: 'owner',
    json: { name: 'Anna Berg' },
    body: invitation.NewInvitation,
    answer: invitation.NewInvitationAnswer,
  },
  'DELETE /api/invitations/:moduleId/:invitationId': {
    access: 'owner',
    answer: invitation.InvitationsAnswer,
    rows: WRITTEN_BEFORE,
  },
  // No link has this secret.
  'POST /api/invitations/accept': {
    access: 'user',
    ok: 404,
    json: { key: 'none', name: 'Anna Berg' },
    body: invitation.AcceptInvitation,
    answer: invitation.AcceptInvitationAnswer,
  },

  'GET /api/collections': { access: 'user', answer: collection.CollectionListAnswer },
  'POST /api/collections': {
    access: 'user',
    json: { title: 'Line 4' },
    body: collection.NewCollection,
    answer: collection.CollectionAnswer,
  },
  'GET /api/collections/:collectionId': { access: 'member', answer: collection.CollectionAnswer },
  'PATCH /api/collections/:collectionId': {
    access: 'member',
    json: { title: 'Another' },
    body: collection.CollectionPatch,
    answer: collection.CollectionAnswer,
    meant: { moduleIds: fc.array(fc.constantFrom('@ready@', '@hidden@', '@sending@'), { maxLength: 3 }) },
  },
  // Another one would leave the others without.
  'DELETE /api/collections/:collectionId': {
    access: 'manager',
    answer: module.Done,
    meant: { collectionId: fc.constant('x'.repeat(22)) },
    rows: WRITTEN_BEFORE,
  },
  'GET /share/c/:collectionId': { access: 'link' },
  'GET /share/c/:collectionId/found': { access: 'link', search: 'q=wheel' },

  'GET /api/steps/:moduleId': { access: 'viewer', answer: step.StepsAnswer },
  'POST /api/steps/:moduleId': {
    access: 'editor',
    json: { steps: [STEP] },
    body: step.SaveSteps,
    answer: step.StepsAnswer,
  },
  'PUT /api/steps/:moduleId/cuts': {
    access: 'owner',
    json: { cuts: [[2, 4]] },
    body: cuts.SaveCuts,
    answer: step.StepsAnswer,
  },
  'DELETE /api/steps/:moduleId': { access: 'editor', answer: step.StepsAnswer, rows: WRITTEN_BEFORE },
  'POST /api/steps/:moduleId/rewrite': {
    access: 'editor',
    json: { text: 'um so you loosen the nuts' },
    body: editing.RewriteRequest,
    answer: editing.RewriteAnswer,
    rows: 'what models cost',
  },
  'GET /api/steps/:moduleId/proposals': { access: 'editor', answer: step.ProposalsAnswer },
  // The planted module is ready.
  'PUT /api/steps/:moduleId/proposals': {
    access: 'owner',
    ok: 409,
    json: { starts: [0, 12] },
    body: step.OfferScenes,
    answer: step.ProposalsAnswer,
  },
  'POST /api/steps/:moduleId/proposals': {
    access: 'editor',
    ok: 404,
    json: { ids: ['a'], decision: 'reject' },
    body: step.DecideProposals,
    answer: step.StepsAnswer,
    meant: { ids: fc.array(PROPOSED, { minLength: 1, maxLength: 2 }) },
  },
  'POST /api/steps/:moduleId/proposals/:stepId': {
    access: 'editor',
    ok: 404,
    json: { decision: 'reject' },
    body: step.DecideProposal,
    answer: step.StepsAnswer,
    meant: { stepId: PROPOSED },
  },

  'GET /api/versions/due': { access: 'user', answer: review.DueReviewsAnswer },
  'GET /api/steps/:moduleId/removed': { access: 'editor', answer: removed.RemovedStepsAnswer },
  // Nothing was removed of the planted module.
  'POST /api/steps/:moduleId/removed/:stepId': {
    access: 'editor',
    ok: 404,
    answer: step.StepsAnswer,
    meant: { stepId: PROPOSED },
  },

  'GET /api/versions/:moduleId': { access: 'editor', answer: version.VersionsAnswer },
  'PUT /api/versions/:moduleId': {
    access: 'owner',
    json: { isOn: false },
    body: version.VersionsSwitch,
    answer: version.VersionsAnswer,
  },
  // Nothing is published of the planted module.
  'POST /api/versions/:moduleId': {
    access: 'owner',
    ok: 400,
    json: { draft: '0'.repeat(64), published: 1, note: '', retraining: 'none' },
    body: version.PublishRequest,
    answer: version.VersionsAnswer,
  },
  'POST /api/versions/:moduleId/review': {
    access: 'editor',
    ok: 400,
    json: { draft: '0'.repeat(64), note: '', retraining: 'none', name: 'Kim' },
    body: version.ReviewRequest,
    answer: version.VersionsAnswer,
  },
  'PUT /api/versions/:moduleId/review': {
    access: 'owner',
    ok: 404,
    json: { name: 'Kim', reason: 'The lid is missing.' },
    body: review.SendBack,
    answer: version.VersionsAnswer,
  },
  'POST /api/versions/:moduleId/comments': {
    access: 'editor',
    json: { stepId: 'a', name: 'Kim', text: 'Which screw?' },
    body: review.NewComment,
    answer: review.ThreadsAnswer,
  },
  'PUT /api/versions/:moduleId/comments': {
    access: 'editor',
    json: { stepId: 'a', isResolved: true, seenComments: 0 },
    body: review.ThreadState,
    answer: review.ThreadsAnswer,
  },
  'PUT /api/versions/:moduleId/schedule': {
    access: 'owner',
    json: { months: 12 },
    body: review.ReviewSchedule,
    answer: version.VersionsAnswer,
  },
  // Nothing is published of the planted module.
  'POST /api/versions/:moduleId/checks': {
    access: 'owner',
    ok: 409,
    json: { published: 1, name: 'Kim' },
    body: review.NewCheck,
    answer: version.VersionsAnswer,
  },
  'GET /api/versions/:moduleId/:version/comments': {
    access: 'editor',
    ok: 400,
    answer: review.ThreadsAnswer,
    meant: { version: fc.constantFrom('draft', '1') },
  },
  'GET /api/versions/:moduleId/:version/transcript': {
    access: 'editor',
    ok: 400,
    answer: transcript.TranscriptAnswer,
    meant: { version: fc.constantFrom('draft', '1') },
  },
  'GET /api/versions/:moduleId/:version': {
    access: 'editor',
    ok: 400,
    answer: version.VersionAnswer,
    meant: { version: fc.constantFrom('draft', '1') },
  },
  'POST /api/versions/:moduleId/:version/restore': {
    access: 'owner',
    ok: 400,
    json: { stepsVersion: 0 },
    body: version.RestoreVersion,
    answer: step.StepsAnswer,
    meant: { version: fc.constantFrom('1', '2') },
  },

  'GET /api/recordings/:moduleId': { access: 'owner', answer: recording.RecordingAnswer },
  // Nothing replaces the video of the planted module.
  'POST /api/recordings/:moduleId': {
    access: 'owner',
    ok: 404,
    json: { recordingId: 'A'.repeat(22), version: 0, steps: [{ id: 'a', start: 0, end: 10 }] },
    body: recording.TakeRecording,
    answer: step.StepsAnswer,
  },

  'GET /api/transcript/:moduleId': { access: 'viewer', answer: transcript.TranscriptAnswer },
  'PATCH /api/transcript/:moduleId': {
    access: 'owner',
    json: { edits: [] },
    body: transcript.CorrectTranscript,
    answer: transcript.CorrectionAnswer,
    meant: LINE,
  },
  'PATCH /api/transcript/:moduleId/:segmentId': {
    access: 'owner',
    ok: 404,
    json: { text: 'Another' },
    body: transcript.CorrectSegment,
    answer: transcript.CorrectionAnswer,
    meant: LINE,
  },
  'DELETE /api/transcript/:moduleId/orphaned': { access: 'owner', answer: module.Done, rows: WRITTEN_BEFORE },
  'POST /api/captions': {
    access: 'user',
    ok: 422,
    text: 'no captions',
    headers: { 'content-type': 'text/vtt' },
    bytes: 'captions',
    query: transcript.CaptionPreviewQuery,
    answer: transcript.CaptionsAnswer,
    rows: NOTHING,
  },
  'POST /api/captions/:moduleId': {
    access: 'owner',
    ok: 422,
    text: 'no captions',
    headers: { 'content-type': 'text/vtt' },
    bytes: 'captions',
    query: transcript.CaptionsQuery,
    answer: transcript.CaptionsAnswer,
    rows: NOTHING,
  },
  'PUT /api/captions/:moduleId': {
    access: 'owner',
    ok: 422,
    text: 'no captions',
    headers: { 'content-type': 'text/vtt' },
    bytes: 'captions',
    answer: transcript.CaptionsAnswer,
  },

  'GET /api/questions': { access: 'user', answer: questions.DigestAnswer },
  'GET /api/questions/:moduleId': { access: 'owner', answer: questions.QuestionsAnswer },
  'POST /api/questions/:moduleId/settle': {
    access: 'owner',
    json: { ids: ['none'] },
    body: questions.NamedQuestions,
    answer: module.Done,
  },
  'POST /api/questions/:moduleId/reopen': {
    access: 'owner',
    json: { ids: ['none'] },
    body: questions.NamedQuestions,
    answer: module.Done,
  },
  'POST /api/questions/:moduleId/answers': {
    access: 'owner',
    json: { ids: ['none'], question: 'How tight?', text: '120 newton metres.' },
    body: questions.NewAnswer,
    answer: module.Done,
  },
  'PATCH /api/questions/:moduleId/answers/:answerId': {
    access: 'owner',
    ok: 404,
    json: { inPrint: true },
    body: questions.AnswerPatch,
    answer: module.Done,
  },
  'DELETE /api/questions/:moduleId/answers/:answerId': {
    access: 'owner',
    ok: 404,
    answer: module.Done,
    rows: WRITTEN_BEFORE,
  },
  'POST /api/questions/:moduleId/ignore': {
    access: 'owner',
    // No device has asked these.
    ok: 400,
    json: { ids: ['none'] },
    body: questions.NamedQuestions,
    answer: module.Done,
  },

  'GET /api/step-reports': { access: 'user', answer: report.ReportCountsAnswer },
  'GET /api/step-reports/:moduleId': { access: 'owner', answer: report.StepReportsAnswer },
  'GET /api/step-reports/:moduleId/photos/:reportId': { access: 'owner', ok: 404 },
  'POST /api/step-reports/:moduleId/settle': {
    access: 'owner',
    json: { stepId: 'a', kind: 'wrong', lastAt: 0, answer: 'It turns right now.' },
    body: report.SettleReports,
    answer: report.SettleAnswer,
  },
  'POST /api/step-reports/:moduleId/reopen': {
    access: 'owner',
    json: { stepId: 'a', kind: 'wrong', settledAt: 0 },
    body: report.ReopenReports,
    answer: module.Done,
  },
  'PUT /api/step-reports/:moduleId/ignored': {
    access: 'owner',
    json: { id: 'a-report-of-the-matrix', isIgnored: true },
    body: report.IgnoreDevice,
    answer: module.Done,
  },

  'POST /api/reprocess/:moduleId': { access: 'owner', body: module.ReprocessRequest, answer: module.ReprocessAnswer },

  'POST /api/presigned-upload/presigned-url': {
    access: 'user',
    json: { filename: 'a.mp4', contentType: 'video/mp4' },
    body: upload.PresignRequest,
    answer: upload.PresignAnswer,
    meant: { contentType: fc.constantFrom('video/mp4', 'video/webm; codecs="vp9,opus"') },
    rows: VIDEOS,
  },
  'GET /api/upload': { access: 'user', answer: upload.UploadListAnswer },
  'POST /api/upload/complete': {
    access: 'owner',
    json: { key: 'src/:moduleId/source' },
    body: upload.CompleteRequest,
    answer: upload.CompleteAnswer,
    rows: VIDEOS,
  },
  // The planted module's upload has ended, which only its owners see.
  'GET /api/upload/:moduleId': { access: 'owner', ok: 404, answer: upload.UploadAnswer, meant: SENDING },
  'PATCH /api/upload/:moduleId': {
    access: 'owner',
    ok: 404,
    json: { sizeBytes: 1 },
    body: upload.UploadPatch,
    answer: upload.UploadAnswer,
    meant: SAME_SIZE,
  },
  'DELETE /api/upload/:moduleId': { access: 'deleter', answer: module.Done, meant: DOOMED, rows: VIDEOS },
  'POST /api/upload/:moduleId/part-urls': {
    access: 'owner',
    ok: 404,
    json: { parts: [1] },
    body: upload.PartUrlsRequest,
    answer: upload.UrlsAnswer,
    meant: { ...SENDING, parts: PART_NUMBERS },
    rows: NOTHING,
  },
  'PUT /api/upload/:moduleId/parts/:part': {
    access: 'owner',
    ok: 404,
    json: { etag: 'e', sizeBytes: 1 },
    body: upload.PartArrived,
    answer: module.Done,
    meant: SENDING,
  },
  'POST /api/upload/:moduleId/audio-urls': {
    access: 'owner',
    json: { chunks: [{ chunk: 0, sizeBytes: 1 }], contentType: 'audio/mp4' },
    body: upload.AudioUrlsRequest,
    answer: upload.UrlsAnswer,
    meant: SENDING,
  },
  'POST /api/upload/:moduleId/audio': {
    access: 'owner',
    json: { durationMs: 1_000, chunks: [], chunkCount: null },
    body: upload.AudioArrived,
    answer: module.Done,
    meant: { ...SENDING, parts: fc.constant([]) },
  },
}
