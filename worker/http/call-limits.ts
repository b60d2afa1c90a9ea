/** Who is counted: the person whom the token names, or everybody behind one network address. */
export interface CallLimit {
  /** Routes of one budget are counted together. */
  budget:
    | 'presign'
    | 'complete'
    | 'cancel'
    | 'reprocess'
    | 'rewrite'
    | 'questions'
    | 'feedback'
    | 'account'
    | 'opened'
    | 'link'
  /** Binding that counts by the person; null where nobody has to sign in, or where another limit does. */
  caller: 'CALLER_LIMIT' | null
  /** Binding that counts by the address. */
  address: 'ADDRESS_LIMIT' | 'LINK_LIMIT'
}

const PRESIGN: CallLimit = { budget: 'presign', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const COMPLETE: CallLimit = { budget: 'complete', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const CANCEL: CallLimit = { budget: 'cancel', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const REPROCESS: CallLimit = { budget: 'reprocess', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const REWRITE: CallLimit = { budget: 'rewrite', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const FEEDBACK: CallLimit = { budget: 'feedback', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
/** Both read or write all that there is of a person. */
const ACCOUNT: CallLimit = { budget: 'account', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
const OPENED: CallLimit = { budget: 'opened', caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT' }
/** Of one person and about one module they are counted by `limitQuestions`. */
const QUESTIONS: CallLimit = { budget: 'questions', caller: null, address: 'ADDRESS_LIMIT' }
/**
 * What anyone with the link calls and no cache answers, sockets included; pages, videos and pictures come out of the
 * edge. The address of the page counts those who ask it for JSON by itself.
 */
export const LINK: CallLimit = { budget: 'link', caller: null, address: 'LINK_LIMIT' }

/** Which calls are counted, by method and path; how much each binding lets pass is in wrangler.toml. */
export const CALL_LIMITS: Readonly<Record<string, CallLimit>> = {
  'POST /api/presigned-upload/presigned-url': PRESIGN,
  'POST /api/upload/complete': COMPLETE,
  'DELETE /api/upload/:moduleId': CANCEL,
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
  'POST /api/share/:moduleId/live-ticket': LINK,
  'GET /api/modules/:moduleId/live': LINK,
  'GET /api/video-url/:moduleId': LINK,
  'POST /api/learning-metrics': LINK,
  'GET /api/learning-metrics/:moduleId/mine': LINK,
  'GET /api/oembed': LINK,
}

/**
 * Where ids can be guessed without signing in, and what counts the answers that nothing is there. A module that is there
 * may lack pictures and captions, which its page asks for all the same.
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
