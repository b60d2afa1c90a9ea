import fc from 'fast-check'
import { z } from 'zod'
import * as account from '#contract/account.ts'
import { APP_PAGES } from '#contract/app-pages.ts'
import * as debug from '#contract/debug.ts'
import * as feedback from '#contract/feedback/feedback.ts'
import * as questions from '#contract/feedback/questions.ts'
import * as report from '#contract/feedback/step-report.ts'
import * as learning from '#contract/learning.ts'
import * as live from '#contract/live.ts'
import * as module from '#contract/module.ts'
import * as review from '#contract/review.ts'
import * as share from '#contract/share.ts'
import * as tutor from '#contract/tutor.ts'
import { NOTHING, type RouteRow, WRITTEN_BEFORE } from './route-row.ts'

const QUESTION = { userMessage: "What's the next step?", turnId: 'turn-of-the-matrix' }
const WATCHED = {
  session: 'a-session-that-was-never-started',
  seq: 1,
  segments: [[0, 5]],
  position: 5,
}
const REPORT = { id: 'a-report-of-the-matrix', stepId: 'a', kind: 'wrong', text: 'It turns left.' }
/** The right word would leave the others without anything. */
const NEARLY_ERASE = z.strictObject({ confirm: z.enum(['Erase', 'erase ', 'yes']) })
const EDGE = 'comes out of the cache of the edge'
const TICKET = 'reads the database only with a signed ticket, and players ask for very many ranges'
const QUESTIONS = 'questions'
const FEEDBACK = 'feedback'
const REPORTS = 'reports of learners'

/** Routes that learners call, and those about an account and the service itself. */
export const LEARNER_ROUTES: Record<string, RouteRow> = {
  'GET /api/health': {
    access: 'anyone',
    answer: debug.Health,
    uncounted: 'is answered from what was found out in the last seconds',
  },
  'GET /api/oembed': {
    access: 'link',
    search: 'url=http://localhost:8787/share/:moduleId',
    query: share.OembedRequest,
    answer: share.OembedAnswer,
    mayLack: true,
    meant: { format: fc.constant('json') },
  },
  'GET /assets/*': { access: 'anyone', ok: 404, uncounted: 'is a file of the build' },
  ...Object.fromEntries(
    APP_PAGES.map((page) => [`GET ${page}`, { access: 'anyone', uncounted: 'is a page of the build' }]),
  ),

  'GET /api/video-url/module/:moduleId': { access: 'viewer', answer: module.VideoUrlAnswer },
  'GET /api/video-url/url/:moduleId': { access: 'viewer', answer: module.VideoUrlAnswer },
  'GET /api/video-url/:moduleId': { access: 'link', answer: module.VideoUrlAnswer },
  'GET /media/:moduleId/video': { access: 'ticket', ok: 404, uncounted: TICKET },
  'GET /media/:moduleId/video/small': { access: 'ticket', ok: 404, uncounted: TICKET },
  'GET /media/:moduleId/images/:name': { access: 'ticket', ok: 404, uncounted: TICKET },

  'GET /api/share/:moduleId': { access: 'link', answer: share.ShareAnswer },
  // The planted module is ready.
  'POST /api/share/:moduleId/live-ticket': {
    access: 'link',
    ok: 409,
    answer: live.LiveTicketAnswer,
    meant: { moduleId: fc.constantFrom('@sending@', '@ready@') },
    rows: NOTHING,
  },
  'POST /api/share/:moduleId/unlock': {
    access: 'link',
    json: { password: 'no password is needed' },
    body: share.UnlockRequest,
    answer: module.Done,
    rows: 'the tries of a day of a link, a row each',
  },
  // The planted module's owner does not let people with the link ask.
  'POST /api/share/:moduleId/questions': {
    access: 'link',
    ok: 401,
    json: { question: 'What is it?' },
    body: tutor.LinkQuestion,
    answer: tutor.TutorAnswerBody,
    rows: 'answers a day of a module, a row each',
  },
  'POST /api/share/c/:collectionId/questions': {
    access: 'link',
    json: { question: 'What is it?' },
    body: tutor.CollectionQuestion,
    answer: tutor.CollectionAnswerBody,
    rows: 'answers a day of a module, a row each',
  },
  // So it is where people with the link cannot ask the tutor.
  'GET /api/asked/:moduleId': {
    access: 'viewer',
    query: learning.LearnerRequest,
    answer: questions.AskedAnswer,
  },
  'POST /api/asked/:moduleId': {
    access: 'viewer',
    json: { question: 'What is it?', turnId: QUESTION.turnId },
    body: questions.AskTrainer,
    answer: questions.AskTrainerAnswer,
    rows: QUESTIONS,
  },
  'GET /share/:moduleId': { access: 'link', answer: share.ShareAnswer },
  'GET /embed/:moduleId': { access: 'link' },
  'GET /share/:moduleId/captions.vtt': { access: 'link' },
  'GET /share/:moduleId/captions.srt': { access: 'link' },
  'GET /share/:moduleId/chapters.vtt': { access: 'link' },
  'GET /share/:moduleId/print': { access: 'link' },
  'GET /share/:moduleId/steps.md': { access: 'link' },
  'GET /share/:moduleId/video': { access: 'link', ok: 404, uncounted: EDGE },
  'GET /share/:moduleId/video/small': { access: 'link', ok: 404, uncounted: EDGE },
  'GET /share/:moduleId/images/:name': { access: 'link', ok: 404, uncounted: EDGE },

  'POST /api/learning-metrics': {
    access: 'link',
    ok: 403,
    readsToken: true,
    json: WATCHED,
    body: learning.LearningReport,
    answer: learning.LearningAnswer,
    rows: REPORTS,
  },
  'POST /api/learning-metrics/account': { access: 'user', answer: learning.AccountLearnerAnswer, rows: NOTHING },
  'POST /api/learning-metrics/:moduleId/sessions': {
    access: 'link',
    readsToken: true,
    json: {},
    body: learning.SessionRequest,
    answer: learning.SessionAnswer,
    rows: REPORTS,
  },
  'GET /api/learning-metrics/:moduleId/mine': {
    access: 'link',
    readsToken: true,
    query: learning.LearnerRequest,
    answer: learning.LearningAnswer,
  },
  'DELETE /api/learning-metrics/:moduleId/learners/:pseudonym': {
    access: 'owner',
    ok: 404,
    answer: module.Done,
    rows: WRITTEN_BEFORE,
  },
  'GET /api/learning-metrics/:moduleId': { access: 'owner', answer: learning.LearningMetricsAnswer },
  'GET /api/learning-metrics/:moduleId/export': {
    access: 'owner',
    search: 'format=csv',
    query: learning.LearningExportRequest,
  },

  'POST /api/step-reports/:moduleId': {
    access: 'link',
    ok: 403,
    readsToken: true,
    json: { ...REPORT, learner: 'a-token-that-was-never-signed' },
    body: report.NewStepReport,
    answer: module.Done,
    rows: 'reports of a device, a network and a module on a day',
  },
  'GET /api/step-reports/:moduleId/settled': {
    access: 'link',
    readsToken: true,
    search: `ids=${REPORT.id}`,
    query: report.SettledRequest,
    answer: report.SettledAnswer,
  },

  'GET /api/debug/modules/debug': {
    access: 'user',
    query: debug.DebugListRequest,
    answer: debug.DebugListAnswer,
    meant: { status: fc.constantFrom('failed', 'ready', 'PROCESSING', 'orphaned') },
  },
  'GET /api/debug/modules/:moduleId': { access: 'inspector', answer: debug.DebugTimelineAnswer },
  'GET /api/debug/usage': { access: 'user', answer: debug.AiUseAnswer },

  'POST /api/feedback/submit': {
    access: 'viewer',
    json: { type: 'step_generation', action: 'worked' },
    body: feedback.SubmitFeedback,
    answer: feedback.FeedbackAnswer,
    rows: FEEDBACK,
  },
  'POST /api/feedback/improvement': {
    access: 'viewer',
    json: { type: 'ai_improvement', feedback: 'Show the jack.' },
    body: feedback.SubmitImprovement,
    answer: feedback.FeedbackAnswer,
    rows: FEEDBACK,
  },
  'GET /api/feedback/stats': { access: 'user', answer: feedback.FeedbackStatsAnswer },

  'GET /api/account/export': { access: 'user', answer: account.AccountExport },
  'GET /api/account/publishers': { access: 'user', answer: review.PublishersAnswer },
  // Another rule would keep the others from publishing.
  'PUT /api/account/publishers': {
    access: 'admin',
    json: { publishers: 'anyone' },
    body: z.strictObject({ publishers: z.literal('anyone') }),
  },
  'GET /api/account/glossary': { access: 'user', answer: account.GlossaryAnswer },
  'PUT /api/account/glossary': { access: 'admin', json: { words: 'Klaro' }, body: account.GlossaryEdit },
  'PUT /api/account/screen': { access: 'admin', json: { readsScreen: true }, body: account.ScreenSwitch },
  'DELETE /api/account': {
    access: 'user',
    json: { confirm: 'erase' },
    body: NEARLY_ERASE,
    rows: 'calls a minute, a row each',
  },

  'POST /api/ai/contextual-response': {
    access: 'viewer',
    json: QUESTION,
    body: tutor.TutorQuestion,
    answer: tutor.TutorAnswerBody,
    rows: QUESTIONS,
  },
  'POST /api/ai/contextual-response/stream': {
    access: 'viewer',
    json: QUESTION,
    body: tutor.TutorQuestion,
    rows: QUESTIONS,
  },
  'POST /api/ai/contextual-response/stop': {
    access: 'viewer',
    json: { turnId: QUESTION.turnId },
    body: tutor.StopAnswer,
    answer: module.Done,
    rows: NOTHING,
  },
  'GET /api/ai/contextual-response/stream/:moduleId/:turnId': { access: 'viewer', ok: 404 },
  'GET /api/ai/conversation/:moduleId': { access: 'viewer', answer: tutor.Conversation },
  'DELETE /api/ai/conversation/:moduleId': { access: 'viewer', answer: module.Done, rows: WRITTEN_BEFORE },
  'POST /api/qa/ask': {
    access: 'viewer',
    json: { question: QUESTION.userMessage, turnId: QUESTION.turnId },
    body: tutor.SpokenQuestion,
    answer: tutor.TutorAnswerBody,
    rows: QUESTIONS,
  },
  'POST /api/qa/transcribe': {
    access: 'viewer',
    ok: 400,
    search: 'moduleId=:moduleId',
    text: '',
    headers: { 'content-type': 'audio/webm' },
    query: tutor.SpokenRequest,
    bytes: 'recording',
    answer: tutor.SpokenText,
    mayLack: true,
    rows: QUESTIONS,
  },
}
