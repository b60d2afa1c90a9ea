/** How calls of a route are counted, and what one of them may write. */
export interface CallLimit {
  /** Routes of one budget are counted together. */
  budget: string
  /** Binding that counts by the person whom the token names; null where no sign-in is needed, or where another limit does. */
  caller: 'CALLER_LIMIT' | 'READ_LIMIT' | 'UPLOAD_LIMIT' | 'CAPTIONS_LIMIT' | null
  /** Binding that counts all people behind one network address. */
  address: 'ADDRESS_LIMIT' | 'LINK_LIMIT'
  /**
   * The most rows that one call writes, entries of indexes included. They are reserved before the call, so that no sum of
   * a person passes its limit, and unwritten rows are refunded. Routes that write what a quota of their own bounds
   * (videos, questions, feedback) and those that delete have none: what is deleted was written
   * before.
   */
  rowsMax?: number
}

/** A click of a user, or a save of an editor. */
const person = (budget: string, rowsMax?: number) =>
  ({ budget, caller: 'CALLER_LIMIT', address: 'ADDRESS_LIMIT', rowsMax }) as const
/**
 * Calls that the upload page makes by itself. One file of `MAX_UPLOAD_BYTES` has 256 upload parts: a call each, and one
 * for the addresses of twenty. The 3,000 calls a minute of `UPLOAD_LIMIT` are 22 GB a minute, a line of 3 Gbit/s.
 * An hour of video has 120 audio chunks: a call each for the address, one for four that have arrived. Twenty such hours
 * fit. A step image is a call each: an hour of video has some dozens of steps, and a module may have 600. Five such
 * modules fit.
 */
const upload = (budget: string, rowsMax?: number) =>
  ({ budget, caller: 'UPLOAD_LIMIT', address: 'LINK_LIMIT', rowsMax }) as const
/** A call reads and stores a file of up to 2 MB. A folder of thirty short videos with captions fits. */
const CAPTIONS: CallLimit = {
  budget: 'captions',
  caller: 'CAPTIONS_LIMIT',
  address: 'ADDRESS_LIMIT',
  rowsMax: 100,
}
/** The same file is read before it is stored, once more for each choice of an encoding. */
const CAPTION_PREVIEW: CallLimit = { budget: 'caption-preview', caller: 'CAPTIONS_LIMIT', address: 'ADDRESS_LIMIT' }
/** Each reads a whole transcript, or many rows. A page asks every five seconds, and a search with each word. */
const read = (budget: string) => ({ budget, caller: 'READ_LIMIT', address: 'LINK_LIMIT' }) as const
/** Calls that read or write all data of a user, a module or its learners. */
const ACCOUNT: CallLimit = { budget: 'account', caller: 'CAPTIONS_LIMIT', address: 'ADDRESS_LIMIT' }
/** An office of 200 learners makes 200 calls at once, and six times as many while its connection is unstable. */
const LINK_TICKET: CallLimit = { budget: 'ticket', caller: null, address: 'ADDRESS_LIMIT' }
/** Of one person and about one module they are counted by `limitQuestions`. */
const QUESTIONS: CallLimit = { budget: 'questions', caller: null, address: 'ADDRESS_LIMIT' }
/** A class that reports from its steps. What of it is kept is counted by the day (`listReportUses`). */
const STEP_REPORTS: CallLimit = { budget: 'step-report', caller: null, address: 'ADDRESS_LIMIT' }
/**
 * What anyone with the link calls and no cache answers, sockets included; videos and images come out of the edge. The
 * address of the page counts those who ask it for JSON by itself.
 */
export const LINK: CallLimit = { budget: 'link', caller: null, address: 'LINK_LIMIT' }

/** Pages and files with the link. They come out of the edge, whose entries expire; a page and its files are six calls. */
const PAGE: CallLimit = { budget: 'page', caller: null, address: 'LINK_LIMIT' }

/** Which calls are counted, all that write among them, by method and path; how much each binding lets pass is in wrangler.toml. */
export const CALL_LIMITS: Readonly<Record<string, CallLimit>> = {
  'POST /api/presigned-upload/presigned-url': person('presign'),
  'POST /api/upload/complete': person('complete'),
  'PATCH /api/upload/:moduleId': person('presign', 50),
  'DELETE /api/upload/:moduleId': person('cancel'),
  'POST /api/upload/:moduleId/part-urls': upload('parts'),
  'PUT /api/upload/:moduleId/parts/:part': upload('parts', 50),
  'POST /api/upload/:moduleId/audio-urls': upload('audio', 20),
  'POST /api/upload/:moduleId/audio': upload('audio', 1_000),
  'PUT /api/modules/:moduleId/images/:name': upload('images', 50),
  // The use of the day; the module with its indexes.
  'POST /api/modules/:moduleId/small-copy': person('small-copy', 20),
  'PUT /api/modules/:moduleId/small-copy': person('small-copy', 50),
  // An upload page saves what it has read once a minute; the last time changes steps and lines of the transcript.
  'PUT /api/modules/:moduleId/screen': upload('screen', 6_500),
  'GET /api/modules/:moduleId/screen': read('module'),
  'PUT /api/modules/:moduleId/screen/corrections': person('screen', 100),
  'PUT /api/captions/:moduleId': CAPTIONS,
  'POST /api/captions': CAPTION_PREVIEW,
  'POST /api/captions/:moduleId': CAPTION_PREVIEW,
  'GET /api/matrix': read('matrix'),
  'GET /api/sign-off/:personId/:moduleId': read('matrix'),
  'PUT /api/sign-off/settings': person('records', 20),
  // The record and what is known by it, and the supervisor who signs for the first time.
  'POST /api/sign-off/:personId/:moduleId': person('sign-off', 30),
  // The row that counts the photos of a day.
  'POST /api/sign-off/:personId/:moduleId/photos': person('sign-off-photos', 20),
  'GET /api/modules/search': read('module'),
  'GET /api/modules/:moduleId': read('module'),
  'GET /api/steps/:moduleId': read('steps'),
  'GET /api/steps/:moduleId/removed': read('steps'),
  'GET /api/transcript/:moduleId': read('transcript'),
  'GET /api/questions': read('questions'),
  'GET /api/questions/:moduleId': read('questions'),
  // Without reading its screen, words of its transcript are no longer repaired.
  'PATCH /api/modules/:moduleId': person('modules', 4_000),
  // A whole video is copied; its steps, corrections and translations.
  'POST /api/modules/:moduleId/duplicate': { ...CAPTIONS, budget: 'duplicates', rowsMax: 8_000 },
  'POST /api/modules/:moduleId/link': person('modules', 120),
  'DELETE /api/modules/:moduleId': person('modules'),
  // Reads the transcript, and asks the engine for its languages.
  'GET /api/modules/:moduleId/languages': person('languages', 50),
  'GET /api/modules/:moduleId/translations/:language': person('translations'),
  // Approving all of a training writes each of its parts.
  'PUT /api/modules/:moduleId/translations/:language': person('translations', 4_000),
  'POST /api/modules/:moduleId/restore': person('modules', 100),
  // The editor saves a second after the last key, so two windows that are typed into without a pause fit.
  // As many removed steps as it may add are forgotten.
  'POST /api/steps/:moduleId': person('steps', 6_000),
  'DELETE /api/steps/:moduleId': person('steps'),
  'PUT /api/steps/:moduleId/cuts': person('steps', 50),
  'GET /api/versions/due': read('versions'),
  'GET /api/versions/:moduleId/:version/comments': read('versions'),
  'GET /api/versions/:moduleId/:version/transcript': read('versions'),
  // A step, and the places of all others.
  'POST /api/steps/:moduleId/removed/:stepId': person('steps', 1_000),
  // Each reads the whole training and makes a version of it.
  'GET /api/versions/:moduleId/:version': read('versions'),
  // The row of the version, the images that it shows, and what was said of its steps.
  'PUT /api/versions/:moduleId': person('versions', 6_000),
  'POST /api/versions/:moduleId': person('versions', 6_000),
  'POST /api/versions/:moduleId/review': person('versions', 20),
  'PUT /api/versions/:moduleId/review': person('versions', 20),
  'POST /api/versions/:moduleId/comments': person('versions', 20),
  // All that can be said of one step.
  'PUT /api/versions/:moduleId/comments': person('versions', 1_000),
  'PUT /api/versions/:moduleId/schedule': person('versions', 20),
  'POST /api/versions/:moduleId/checks': person('versions', 20),
  'POST /api/versions/:moduleId/:version/restore': person('versions', 4_000),
  // Each reads two transcripts and compares them.
  'GET /api/recordings/:moduleId': { ...CAPTION_PREVIEW, budget: 'alignments' },
  // All steps with those that they replace, and the corrections of a transcript.
  'POST /api/recordings/:moduleId': person('recordings', 10_000),
  'PUT /api/steps/:moduleId/proposals': person('proposals', 1_000),
  'POST /api/steps/:moduleId/proposals': person('proposals', 4_000),
  'POST /api/steps/:moduleId/proposals/:stepId': person('proposals', 1_000),
  // A call per line that is corrected, or for up to `CORRECTIONS_MAX` lines at once.
  'PATCH /api/transcript/:moduleId': person('transcript', 3_500),
  'PATCH /api/transcript/:moduleId/:segmentId': person('transcript', 100),
  'DELETE /api/transcript/:moduleId/orphaned': person('transcript'),
  'POST /api/questions/:moduleId/settle': person('answered', 4_000),
  'POST /api/questions/:moduleId/reopen': person('answered', 4_000),
  'GET /api/step-reports': read('step-reports'),
  'GET /api/step-reports/:moduleId': read('step-reports'),
  'GET /api/step-reports/:moduleId/photos/:reportId': read('photos'),
  'POST /api/step-reports/:moduleId': STEP_REPORTS,
  'GET /api/step-reports/:moduleId/settled': LINK,
  // All that learners can report of one step in some weeks.
  'POST /api/step-reports/:moduleId/settle': person('step-reports', 4_000),
  'POST /api/step-reports/:moduleId/reopen': person('step-reports', 4_000),
  'PUT /api/step-reports/:moduleId/ignored': person('step-reports', 4_000),
  // A thousand questions that are settled, and as many people who are told.
  'POST /api/questions/:moduleId/answers': person('answered', 8_000),
  'PATCH /api/questions/:moduleId/answers/:answerId': person('answered', 20),
  'DELETE /api/questions/:moduleId/answers/:answerId': person('answered'),
  'POST /api/questions/:moduleId/ignore': person('answered', 4_000),
  'GET /api/asked/:moduleId': LINK,
  'POST /api/asked/:moduleId': QUESTIONS,
  'POST /api/ai/contextual-response/stop': person('conversation'),
  'DELETE /api/ai/conversation/:moduleId': person('conversation'),
  'POST /api/reprocess/:moduleId': person('reprocess', 1_000),
  'POST /api/steps/:moduleId/rewrite': person('rewrite'),
  'POST /api/ai/contextual-response': QUESTIONS,
  'POST /api/ai/contextual-response/stream': QUESTIONS,
  'POST /api/qa/ask': QUESTIONS,
  'POST /api/qa/transcribe': QUESTIONS,
  'POST /api/feedback/submit': person('feedback'),
  'POST /api/feedback/improvement': person('feedback'),
  'GET /api/account/export': ACCOUNT,
  'DELETE /api/account': ACCOUNT,
  'PUT /api/account/publishers': person('glossary', 20),
  'PUT /api/account/glossary': person('glossary', 2_000),
  // Removes what was read of all modules that follow.
  'PUT /api/account/screen': person('screen', 2_000),
  'GET /api/records': read('records'),
  'GET /api/records/export': ACCOUNT,
  'GET /api/records/proof': read('records'),
  'GET /api/records/photos/:recordedId/:hash': read('photos'),
  'PUT /api/records/keeping': person('records', 40),
  // One record may be about a thousand people and trainings, each with what is known of it.
  'POST /api/records/:seq/correction': person('records', 6_000),
  'DELETE /api/records/people/:recordedId': person('records'),
  'PUT /api/opened-modules/:moduleId': person('opened', 20),
  'DELETE /api/opened-modules/:moduleId': person('opened'),
  'GET /api/invitations/:moduleId': read('module'),
  'POST /api/invitations/:moduleId': person('invitations', 20),
  'POST /api/invitations/accept': person('invitations', 20),
  'DELETE /api/invitations/:moduleId/:invitationId': person('invitations'),
  'POST /api/collections': person('collections', 20),
  // Where it is assigned, its new trainings are too.
  'PATCH /api/collections/:collectionId': person('collections', 20_000),
  'DELETE /api/collections/:collectionId': person('collections'),
  'GET /api/people': read('people'),
  // A person with the entries of its indexes and groups; and up to a thousand assignments that follow from these.
  'POST /api/people': person('people', 8_000),
  'PATCH /api/people/:personId': person('people', 8_000),
  'POST /api/people/import': person('people-import', 10_000),
  'POST /api/people/:personId/join': person('people', 8_000),
  'POST /api/people/:personId/link': person('people', 20),
  'DELETE /api/people/:personId/link': person('people', 20),
  'POST /api/people/:personId/code': person('people', 20),
  'POST /api/groups': person('people', 20),
  'PATCH /api/groups/:groupId': person('people', 20),
  'DELETE /api/groups/:groupId': person('people', 8_000),
  'POST /api/groups/:groupId/link': person('people', 20),
  'DELETE /api/groups/:groupId/link': person('people', 20),
  'GET /api/notifications': read('people'),
  'PATCH /api/notifications': person('people', 20),
  // Each event that waits is due at once.
  'PUT /api/notifications/webhook': person('people', 2_000),
  'DELETE /api/notifications/webhook': person('people'),
  'POST /api/notifications/webhook/retry': person('people', 2_000),
  'PUT /api/notifications/matrix-key': person('people', 20),
  'DELETE /api/notifications/matrix-key': person('people'),
  'GET /api/assignments': read('people'),
  // A thousand people × trainings at a time; each training may get its first version.
  'POST /api/assignments': person('assignments', 20_000),
  'POST /api/assignments/settle': person('assignments', 8_000),
  'POST /api/assignments/:assignmentId/settle': person('assignments', 8_000),
  'DELETE /api/assignments/:assignmentId': person('assignments', 8_000),
  'GET /api/my': LINK,
  'POST /api/my/open': LINK_TICKET,
  // Wrong codes are counted besides (`code-tries.ts`).
  'POST /api/my/code': LINK_TICKET,
  'POST /api/my/account': person('my', 20),
  'DELETE /api/my/account': LINK_TICKET,
  'POST /api/my/leave': LINK_TICKET,
  'POST /api/my/trainings/:linkId/confirm': LINK_TICKET,
  'GET /api/my/trainings/:linkId/asked': LINK,
  'GET /share/:moduleId': PAGE,
  'GET /share/c/:collectionId': PAGE,
  'GET /share/c/:collectionId/found': PAGE,
  'GET /share/:moduleId/print': PAGE,
  'GET /share/:moduleId/captions.vtt': PAGE,
  'GET /share/:moduleId/captions.srt': PAGE,
  'GET /share/:moduleId/chapters.vtt': PAGE,
  'GET /share/:moduleId/steps.md': PAGE,
  'GET /embed/:moduleId': PAGE,
  'GET /api/share/:moduleId': LINK,
  'POST /api/share/:moduleId/live-ticket': LINK_TICKET,
  // Of one link they are counted by the route, and wrong ones by the module's own row.
  'POST /api/share/:moduleId/unlock': LINK_TICKET,
  'POST /api/share/:moduleId/questions': QUESTIONS,
  'POST /api/share/c/:collectionId/questions': QUESTIONS,
  // A socket's page asks for one each time that it connects.
  'POST /api/modules/:moduleId/live-ticket': person('ticket'),
  'POST /api/modules/:moduleId/take-over': person('take-over', 100),
  'GET /api/modules/:moduleId/live': LINK,
  'GET /api/video-url/:moduleId': LINK,
  'POST /api/learning-metrics': LINK,
  'POST /api/learning-metrics/:moduleId/sessions': LINK,
  'POST /api/learning-metrics/account': ACCOUNT,
  'DELETE /api/learning-metrics/:moduleId/learners/:pseudonym': ACCOUNT,
  'GET /api/learning-metrics/:moduleId/mine': LINK,
  'GET /api/learning-metrics/:moduleId': LINK,
  'GET /api/learning-metrics/:moduleId/export': ACCOUNT,
  'GET /api/modules/:moduleId/transcript.txt': ACCOUNT,
  'GET /api/modules/:moduleId/files.zip': ACCOUNT,
  'GET /api/oembed': LINK,
}

/**
 * Where ids can be guessed without signing in, and what counts the answers that nothing is there. A module that is there
 * may lack images and captions, which its page asks for all the same.
 */
export const GUESSED_PATHS: Readonly<Record<string, 'MISS_LIMIT' | 'LINK_LIMIT'>> = {
  '/share/:moduleId': 'MISS_LIMIT',
  '/share/c/:collectionId': 'MISS_LIMIT',
  '/share/:moduleId/:part/*': 'LINK_LIMIT',
  '/embed/:moduleId': 'MISS_LIMIT',
  '/api/share/*': 'MISS_LIMIT',
  '/api/asked/*': 'MISS_LIMIT',
  '/api/video-url/:moduleId': 'MISS_LIMIT',
  '/api/oembed': 'MISS_LIMIT',
  '/api/learning-metrics/*': 'MISS_LIMIT',
  '/api/step-reports/*': 'MISS_LIMIT',
}
