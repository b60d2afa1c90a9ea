/**
 * The most rows that one call of a route writes, entries of indexes included, by method and path. They are reserved before
 * the call, so that no sum of a person passes its limit, and unwritten rows are refunded. Routes that write what a
 * quota of their own bounds (videos, questions, feedback) and those that delete are not among
 * them: what is deleted was written before.
 */
export const ROWS_MAX: Readonly<Record<string, number>> = {
  'PATCH /api/modules/:moduleId': 100,
  'POST /api/modules/:moduleId/restore': 100,
  'PUT /api/modules/:moduleId/images/:name': 50,
  'POST /api/steps/:moduleId': 4_000,
  'POST /api/steps/:moduleId/proposals': 4_000,
  'POST /api/steps/:moduleId/proposals/:stepId': 1_000,
  'PUT /api/captions/:moduleId': 100,
  'PATCH /api/transcript/:moduleId': 3_500,
  'PATCH /api/transcript/:moduleId/:segmentId': 100,
  'POST /api/reprocess/:moduleId': 1_000,
  'PUT /api/upload/:moduleId/parts/:part': 50,
  'POST /api/upload/:moduleId/audio-urls': 20,
  'POST /api/upload/:moduleId/audio': 1_000,
  'PUT /api/opened-modules/:moduleId': 20,
  'POST /api/questions/:moduleId/settle': 4_000,
  'POST /api/questions/:moduleId/reopen': 4_000,
  'POST /api/modules/:moduleId/take-over': 100,
}

/** Who is counted: the person whom the token names, or all people behind one network address. */
export interface CallLimit {
  /** Routes of one budget are counted together. */
  budget:
    | 'presign'
    | 'complete'
    | 'cancel'
    | 'parts'
    | 'audio'
    | 'images'
    | 'captions'
    | 'reprocess'
    | 'rewrite'
    | 'modules'
    | 'steps'
    | 'proposals'
    | 'transcript'
    | 'answered'
    | 'conversation'
    | 'questions'
    | 'feedback'
    | 'account'
    | 'link'
    | 'ticket'
    | 'take-over'
    | 'opened'
  /** Binding that counts by the person; null where no sign-in is needed, or where another limit does. */
  caller: 'CALLER_LIMIT' | 'UPLOAD_LIMIT' | 'CAPTIONS_LIMIT' | null
  /** Binding that counts by the address. */
  address: 'ADDRESS_LIMIT' | 'LINK_LIMIT'
}

const PRESIGN: CallLimit = { budget: 'presign', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const COMPLETE: CallLimit = { budget: 'complete', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const CANCEL: CallLimit = { budget: 'cancel', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
/**
 * Calls that the upload page makes by itself. One file of `MAX_UPLOAD_BYTES` has 256 upload parts: a call each, and one
 * for the addresses of twenty. The 3,000 calls a minute of `UPLOAD_LIMIT` are 22 GB a minute, a line of 3 Gbit/s.
 */
const PARTS: CallLimit = { budget: 'parts', caller: 'UPLOAD_LIMIT', address: 'LINK_LIMIT' }
/** An hour of video has 120 audio chunks: a call each for the address, one for four that have arrived. Twenty such hours fit. */
const AUDIO: CallLimit = { budget: 'audio', caller: 'UPLOAD_LIMIT', address: 'LINK_LIMIT' }
/** A step image each: an hour of video has some dozens of steps, and a module may have 600. Five such modules fit. */
const IMAGES: CallLimit = { budget: 'images', caller: 'UPLOAD_LIMIT', address: 'LINK_LIMIT' }
/** A call reads and stores a file of up to 2 MB. A folder of thirty short videos with captions fits. */
const CAPTIONS: CallLimit = { budget: 'captions', caller: 'CAPTIONS_LIMIT', address: 'ADDRESS_LIMIT' }
/** The editor saves a second after the last key, so two windows that are typed into without a pause fit. */
const STEPS: CallLimit = { budget: 'steps', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const PROPOSALS: CallLimit = { budget: 'proposals', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
/** A call per line that is corrected, or for up to `CORRECTIONS_MAX` lines at once. */
const TRANSCRIPT: CallLimit = { budget: 'transcript', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
/** Renaming, sharing, deleting and restoring are a click each. */
const MODULES: CallLimit = { budget: 'modules', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const ANSWERED: CallLimit = { budget: 'answered', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const CONVERSATION: CallLimit = { budget: 'conversation', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const REPROCESS: CallLimit = { budget: 'reprocess', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const REWRITE: CallLimit = { budget: 'rewrite', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const FEEDBACK: CallLimit = { budget: 'feedback', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
/** They read or write all that there is of a person or of a module's learners. */
const ACCOUNT: CallLimit = { budget: 'account', caller: 'CAPTIONS_LIMIT', address: 'ADDRESS_LIMIT' }
const TAKE_OVER: CallLimit = { budget: 'take-over', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
/** A socket's page asks for one each time that it connects. */
const TICKET: CallLimit = { budget: 'ticket', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
/** An office of 200 learners takes 200 at once, and six times as many while its line comes and goes. */
const LINK_TICKET: CallLimit = { budget: 'ticket', caller: null, address: 'ADDRESS_LIMIT' }
const OPENED: CallLimit = { budget: 'opened', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
/** Of one person and about one module they are counted by `limitQuestions`. */
const QUESTIONS: CallLimit = { budget: 'questions', caller: null, address: 'ADDRESS_LIMIT' }
/**
 * What anyone with the link calls and no cache answers, sockets included; pages, videos and images come out of the
 * edge. The address of the page counts those who ask it for JSON by itself.
 */
export const LINK: CallLimit = { budget: 'link', caller: null, address: 'LINK_LIMIT' }

/** Which calls are counted, all that write among them, by method and path; how much each binding lets pass is in wrangler.toml. */
export const CALL_LIMITS: Readonly<Record<string, CallLimit>> = {
  'POST /api/presigned-upload/presigned-url': PRESIGN,
  'POST /api/upload/complete': COMPLETE,
  'DELETE /api/upload/:moduleId': CANCEL,
  'POST /api/upload/:moduleId/part-urls': PARTS,
  'PUT /api/upload/:moduleId/parts/:part': PARTS,
  'POST /api/upload/:moduleId/audio-urls': AUDIO,
  'POST /api/upload/:moduleId/audio': AUDIO,
  'PUT /api/modules/:moduleId/images/:name': IMAGES,
  'PUT /api/captions/:moduleId': CAPTIONS,
  'PATCH /api/modules/:moduleId': MODULES,
  'DELETE /api/modules/:moduleId': MODULES,
  'POST /api/modules/:moduleId/restore': MODULES,
  'POST /api/steps/:moduleId': STEPS,
  'DELETE /api/steps/:moduleId': STEPS,
  'POST /api/steps/:moduleId/proposals': PROPOSALS,
  'POST /api/steps/:moduleId/proposals/:stepId': PROPOSALS,
  'PATCH /api/transcript/:moduleId': TRANSCRIPT,
  'PATCH /api/transcript/:moduleId/:segmentId': TRANSCRIPT,
  'DELETE /api/transcript/:moduleId/orphaned': TRANSCRIPT,
  'POST /api/questions/:moduleId/settle': ANSWERED,
  'POST /api/questions/:moduleId/reopen': ANSWERED,
  'POST /api/ai/contextual-response/stop': CONVERSATION,
  'DELETE /api/ai/conversation/:moduleId': CONVERSATION,
  'POST /api/reprocess/:moduleId': REPROCESS,
  'POST /api/steps/:moduleId/rewrite': REWRITE,
  'POST /api/ai/contextual-response': QUESTIONS,
  'POST /api/ai/contextual-response/stream': QUESTIONS,
  'POST /api/qa/ask': QUESTIONS,
  'POST /api/qa/transcribe': QUESTIONS,
  'POST /api/feedback/submit': FEEDBACK,
  'POST /api/feedback/improvement': FEEDBACK,
  'GET /api/account/export': ACCOUNT,
  'DELETE /api/account': ACCOUNT,
  'PUT /api/opened-modules/:moduleId': OPENED,
  'DELETE /api/opened-modules/:moduleId': OPENED,
  'GET /api/share/:moduleId': LINK,
  'POST /api/share/:moduleId/live-ticket': LINK_TICKET,
  'POST /api/modules/:moduleId/live-ticket': TICKET,
  'POST /api/modules/:moduleId/take-over': TAKE_OVER,
  'GET /api/modules/:moduleId/live': LINK,
  'GET /api/video-url/:moduleId': LINK,
  'POST /api/learning-metrics': LINK,
  'POST /api/learning-metrics/:moduleId/sessions': LINK,
  'POST /api/learning-metrics/account': ACCOUNT,
  'DELETE /api/learning-metrics/:moduleId/learners/:pseudonym': ACCOUNT,
  'GET /api/learning-metrics/:moduleId/mine': LINK,
  'GET /api/learning-metrics/:moduleId': LINK,
  'GET /api/learning-metrics/:moduleId/export': ACCOUNT,
  'GET /api/oembed': LINK,
}

/**
 * Where ids can be guessed without signing in, and what counts the answers that nothing is there. A module that is there
 * may lack images and captions, which its page asks for all the same.
 */
export const GUESSED_PATHS: Readonly<Record<string, 'MISS_LIMIT' | 'LINK_LIMIT'>> = {
  '/share/:moduleId': 'MISS_LIMIT',
  '/share/:moduleId/:part/*': 'LINK_LIMIT',
  '/embed/:moduleId': 'MISS_LIMIT',
  '/api/share/*': 'MISS_LIMIT',
  '/api/video-url/:moduleId': 'MISS_LIMIT',
  '/api/oembed': 'MISS_LIMIT',
  '/api/learning-metrics/*': 'MISS_LIMIT',
}
