/** Limits of the product (specification §5 and §9). Seconds and characters unless the name says otherwise. */

/** A step that a trainer saves, and every step that the pipeline writes. */
export const STEP_RULES = {
  titleMinChars: 3,
  titleMaxChars: 99,
  descriptionMinChars: 10,
  descriptionMaxChars: 499,
  minDurationS: 5,
  /** Exclusive: a step is under five minutes. */
  maxDurationS: 300,
  maxAliases: 10,
  /** Teaching notes. */
  notesMaxChars: 300,
} as const

/** What the server refuses outright; looser than {@link STEP_RULES}, so that every form of the product can save. */
export const STEP_HARD_LIMITS = {
  titleMaxChars: 100,
  descriptionMaxChars: 500,
  maxAliases: 10,
  aliasMaxChars: 100,
  notesMaxChars: 5_000,
  maxSteps: 500,
  calloutMaxChars: 200,
  maxCallouts: 12,
  commandMaxChars: 500,
  maxCommands: 8,
} as const

/** Ranges of a video that are left out: a pause in each minute of three hours. */
export const CUTS_MAX = 200

/** Scenes that are offered of a video without speech: a person who would name more writes the steps. */
export const SCENES_MAX = 60

/** Length of a step that is added by hand, until its end is set. */
export const NEW_STEP_LENGTH_S = 30
/** A change of a step is saved this long after the last key. */
export const AUTO_SAVE_DELAY_MS = 1_000
/** How long the editor says that it has saved. */
export const SAVED_LABEL_MS = 2_000

/** How long a browser waits for an answer before it gives up (specification §9); calls that may take longer say so. */
export const REQUEST_TIMEOUT_MS = 10_000
/** How often a page polls a module, whether or not its socket reports changes (specification §9). */
export const STATUS_POLL_MS = 5_000
/**
 * Close code of a socket for which a module's room has no place (RFC 6455 registry: "try again later"). The page polls
 * every few seconds instead, and opens no other socket.
 */
export const ROOM_FULL_CODE = 1013
/** Close code of the socket of anyone with the link once the module is not in progress any more. */
export const ROOM_DONE_CODE = 1000
/** After a module ends, its steps are loaded again this much later. */
export const STEPS_RELOAD_DELAY_MS = 750
/** How often steps that did not come are asked for again, after the first time (specification §9). */
export const STEPS_RETRIES = 5
/** The pause before each of them (specification §9). */
export const STEPS_RETRY_DELAY_MS = 2_000
/** How often a player whose video breaks off fetches a new address before it says so (specification §9). */
export const VIDEO_URL_REFRESH_MAX = 2
/** How often a page renews its right to a video that it shows, which is good for 15 minutes. */
export const VIDEO_RENEW_MS = 5 * 60_000
/** How often modules are asked for in all, the first time included (specification §9). */
export const MODULES_FETCH_ATTEMPTS = 3
/** The pause after an attempt, times its number: 1 s, then 2 s (specification §9). */
export const MODULES_BACKOFF_MS = 1_000

/**
 * How long an address that bytes are sent to is good. Storage would take seven days; a sender asks for a new one before
 * it runs out, and one that got into other hands is soon worth nothing.
 */
export const PRESIGNED_URL_TTL_S = 15 * 60
/** Larger files go in parts, so that a lost line costs one part and not the file. */
export const MULTIPART_FROM_BYTES = 16 * 1024 * 1024
/** Parts of an upload but the last: R2 wants at least 5 MiB, all of one size, 10,000 at most (80 GB). */
export const UPLOAD_PART_BYTES = 8 * 1024 * 1024
/** Addresses that are handed out in one call. */
export const UPLOAD_URLS_MAX = 50
/** How long a deleted module can be restored. */
export const RESTORABLE_DAYS = 7
/** No training is as long as a day; places in a video beyond it are mistakes. */
export const VIDEO_MAX_S = 86_400
/** Chunks that a video's audio is cut into: a day of chunks of five seconds, a sixth of what they usually have. */
export const AUDIO_CHUNKS_MAX = 17_280
/** A chunk of it; our own cutter never reaches half a minute of the densest audio. */
export const AUDIO_CHUNK_MAX_BYTES = 4 * 1024 * 1024
/** Tracks of speakers that are cut together: more are in no recording that was seen. */
export const AUDIO_TRACKS_MAX = 8
/** Files in a chunk behind the first: a track that pauses makes several. */
export const AUDIO_PARTS_MAX = 99
/** A caption file; an hour of speech has about 100 kB, so this is the most of a day. */
export const CAPTIONS_MAX_BYTES = 2 * 1024 * 1024
/** Cues of a caption file, and segments that are made of them: twenty hours of speech, at about a thousand an hour. */
export const CAPTION_CUES_MAX = 20_000
/** What a publisher says of a version: a paragraph. */
export const VERSION_NOTE_MAX_CHARS = 1_000
/** Versions of a training: one a day for more than a year. */
export const VERSIONS_MAX = 500

/** What owners say of the steps of a draft until it is a version: one of each step of a long training. */
export const REVIEW_COMMENTS_MAX = 200
/** Reviews of a training that found its version still right: one a month for as long as anybody keeps it. */
export const VERSION_CHECKS_MAX = 500
/** The longest time between two reviews of a training, months. */
export const REVIEW_MONTHS_MAX = 60
/** Trainings that are due for review, of one list. */
export const REVIEWS_DUE_MAX = 50

/** The name of a person as they write it under a version. */
export const PERSON_NAME_MAX_CHARS = 100
/** People who are or were invited to edit a training: a department. */
export const INVITATIONS_MAX = 20
/** How long an invitation waits for the person whom it is for. */
export const INVITATION_DAYS = 14
/** An e-mail address (RFC 5321 §4.5.3.1.3). */
export const EMAIL_MAX_CHARS = 254
/** Address that events are sent to. */
export const WEBHOOK_URL_MAX_CHARS = 500
/** Links of a training, one after the other: one a week for a year. */
export const LINKS_MAX = 50
/** The fewest characters of a link's password (NIST SP 800-63B §5.1.1.1). */
export const LINK_PASSWORD_MIN_CHARS = 8
/** The most, so that hashing one takes no longer than another. */
export const LINK_PASSWORD_MAX_CHARS = 100
/** A title, and what is searched for in titles; one that is made of a file's name is cut to it. */
export const MODULE_TITLE_MAX_CHARS = 200
/** Words of one search; with more of them nothing is found that fewer do not find. */
export const SEARCH_WORDS_MAX = 8
/** Modules that one search finds by their steps, speech and screens: more than a person looks through. */
export const FOUND_MODULES_MAX = 20
/** Moments of one module in a search; its own page finds the others. */
export const FOUND_HITS_MAX = 3
/** Modules in one answer of the paged list: more than two screens of cards. */
export const MODULES_PAGE_DEFAULT = 60
/** Trainings of others that are kept for one person as opened: the newest. More than a person looks through. */
export const OPENED_MODULES_MAX = 200
/** The most that one answer has, whatever is asked for; also of what is being processed. */
export const MODULES_PAGE_MAX = 100
/** Longest tag that RFC 5646 asks software to hold. */
export const LANGUAGE_MAX_CHARS = 35
/** The longest name that the usual file systems keep. */
export const FILENAME_MAX_CHARS = 255
/** Whisper reads at most 224 tokens of prompt, about this many characters. */
export const GLOSSARY_MAX_CHARS = 800
/** JSON bodies above this are refused before they are parsed. */
export const JSON_BODY_MAX_BYTES = 1024 * 1024
/** A text that is rewritten has at least so many characters (specification §5). */
export const REWRITE_MIN_CHARS = 3
/** The most that a step keeps of a rewritten text; the transcript of a five-minute step fits. */
export const REWRITE_MAX_CHARS = 5_000
/** What is wanted of a rewritten text: a few sentences. */
export const REWRITE_INSTRUCTION_MAX_CHARS = 500
/** The browser gives up after ten seconds; a second of it is for the way there and back. */
export const REWRITE_DEADLINE_MS = 9_000
/** A few paragraphs; a longer suggestion is a letter. */
export const FEEDBACK_MAX_CHARS = 5_000
/** What a piece of feedback is about: an id, a place, some JSON. */
export const FEEDBACK_CONTEXT_MAX_CHARS = 2_000
/** What is kept of the answer that a piece of feedback is about; all of it is kept with its question. */
export const FEEDBACK_ANSWER_KEPT_CHARS = 1_000
/** The same said again by the same person within this time is a second press of the button, or a retry. */
export const FEEDBACK_REPEAT_S = 60
/** Specification §9. */
export const FEEDBACK_AUTO_HIDE_MS = 3_000
/** The newest pieces of feedback that the card shows (specification §9). */
export const RECENT_FEEDBACK_MAX = 3
/** A line of the transcript is a sentence; the longest captions that we have seen have half of this. */
export const SEGMENT_MAX_CHARS = 2_000
/** Lines that are corrected in one go: an hour of speech has about 700. */
export const CORRECTIONS_MAX = 1_000
/** Words that one correction adds to the glossary. */
export const GLOSSARY_WORDS_MAX = 20
/** A name of several words; an eighth of what the glossary takes. */
export const GLOSSARY_WORD_MAX_CHARS = 100
/** The fastest playback rate of the player. What was played is credited up to this many times the time that has passed. */
export const PLAYBACK_RATE_MAX = 2
/** Segments in one report of what was played; a page that has more sends them in several. */
export const REPORT_SEGMENTS_MAX = 200
/** A question to the tutor; more than that is a letter, and the model has to read it all. */
export const QUESTION_MAX_CHARS = 2_000
/** Turns before a question that a follow-up may refer to: "and then?" refers to the last one, "why?" sometimes to two. */
export const EARLIER_TURNS_MAX = 2
/** What is read of an answer before a question. */
export const EARLIER_ANSWER_MAX_CHARS = 1_000
/** Answers a day that a model may write for people with a link, at the most that an owner can allow. */
export const LINK_ANSWERS_MAX = 500
/** A client whose connection broke has this long to reconnect to a running answer before it is stopped. */
export const ANSWER_UNWATCHED_MS = 15_000
/** Answers that do not stream, and recordings that are written down: as {@link REWRITE_DEADLINE_MS}. */
export const ANSWER_DEADLINE_MS = 9_000
/** A spoken question that is recorded: a minute of speech in Opus or AAC is under half a megabyte. */
export const RECORDING_MAX_BYTES = 2 * 1024 * 1024
/** The longest spoken question; the page stops recording after a minute. */
export const RECORDING_MAX_MS = 2 * 60_000
/** Rows of the debug page (specification §9). */
export const DEBUG_LIST_DEFAULT = 50
/** The most that one call answers. */
export const DEBUG_LIST_MAX = 200
/** Questions that a trainer's view groups: the newest, so that it costs the same however many were asked. */
export const QUESTIONS_GROUPED_MAX = 1_000
/** Groups in one answer. A trainer does not work through more; the next ones move up when these are settled. */
export const QUESTION_GROUPS_MAX = 200
/** Longest answer of a trainer: a paragraph beside a video. */
export const TRAINER_ANSWER_MAX_CHARS = 600
/** Answers of a trainer about one module; all of them are read for each question. */
export const TRAINER_ANSWERS_MAX = 200
/** Own questions to the trainer that a learner sees again. */
export const ASKED_SHOWN_MAX = 20
/** Collections of one owner: a plant with one for each of its machines. */
export const COLLECTIONS_MAX = 200
/** Modules in one collection: a learner does not work through more, and its page stays small. */
export const COLLECTION_MODULES_MAX = 100
/** What a learner says of a step, and a trainer of that, is one line. */
export const REPORT_MAX_CHARS = 200
/** A photo of a machine, 1,280 pixels wide, in WebP or JPEG; also that of a sign-off. */
export const REPORT_PHOTO_MAX_BYTES = 150 * 1024
/** Reports of one device about one training whose end it asks for. */
export const ASKED_REPORTS_MAX = 20
/** Reports of an entry that are shown: the newest that say or show something, and as many that do not. */
export const SHOWN_REPORTS_MAX = 5
/** Entries in one answer; the next ones move up when these are settled. */
export const REPORT_ENTRIES_MAX = 200
/** What may be asked of a collection. */
export const COLLECTION_QUESTION_MAX_CHARS = 200
/** Places that are shown for it. */
export const STEPS_FOUND_MAX = 8
/** Those of them that are only said. */
export const MOMENTS_FOUND_MAX = 3
/** People of an organization, those who have left included. */
export const PEOPLE_MAX = 20_000
/** Of the organization's own list: a personnel number. */
export const PERSON_NUMBER_MAX_CHARS = 40
/** People in one answer. */
export const PEOPLE_PAGE_SIZE = 50
/** Lines, shifts and departments of an organization. */
export const GROUPS_MAX = 200
/** Groups that one person belongs to. */
export const GROUPS_OF_PERSON_MAX = 20
/** Lines of a list of people in one call. A page that has more sends them in several. */
export const IMPORT_ROWS_MAX = 500
/** Assignments of an organization that are open. */
export const ASSIGNMENTS_MAX = 500
/** People who are named one by one in an assignment; more are a group. */
export const ASSIGNED_PEOPLE_MAX = 200
