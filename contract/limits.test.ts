// Numbers that the specification names, and that pages, devices and links of yesterday still rely on: they are written out
// once more, so that a change of one is a decision. Which bodies they hold for is in behaviour/*-bounds.test.ts.
import { expect, it } from 'vitest'
import * as captions from './captions/report.ts'
import { IMAGE_MAX_BYTES, IMAGES_MAX, IMAGES_MAX_BYTES, STEP_IMAGE } from './image.ts'
import { COMPLETION_PERCENT } from './learning.ts'
import * as limits from './limits.ts'
import { MATRIX_PEOPLE, MATRIX_TRAININGS_MAX } from './records/matrix.ts'
import { PROOF_ROWS_MAX } from './records/proof.ts'
import { RECORDS_PER_PAGE } from './records/record-list.ts'
import { ASSIGNED_MAX } from './records/training-record.ts'
import { SCREEN_CORRECTIONS_MAX, SCREEN_READING_MAX_BYTES } from './screen.ts'
import * as smallCopy from './small-copy.ts'

const MIB = 1_048_576

it('has the times and counts of specification §9', {
  tags: ['spec-9.1', 'spec-9.2', 'spec-9.3', 'spec-9.4', 'spec-9.5', 'spec-9.7', 'spec-9.20', 'spec-9.21', 'spec-9.23'],
}, () => {
  expect(limits).toMatchObject({
    REQUEST_TIMEOUT_MS: 10_000,
    MODULES_FETCH_ATTEMPTS: 3,
    MODULES_BACKOFF_MS: 1_000,
    STEPS_RETRIES: 5,
    STEPS_RETRY_DELAY_MS: 2_000,
    VIDEO_URL_REFRESH_MAX: 2,
    STATUS_POLL_MS: 5_000,
    STEPS_RELOAD_DELAY_MS: 750,
    NEW_STEP_LENGTH_S: 30,
    AUTO_SAVE_DELAY_MS: 1_000,
    FEEDBACK_AUTO_HIDE_MS: 3_000,
    RECENT_FEEDBACK_MAX: 3,
    DEBUG_LIST_DEFAULT: 50,
  })
})

it('has the rules of the step editor', { tags: 'spec-9.19' }, () => {
  expect(limits.STEP_RULES).toEqual({
    titleMinChars: 3,
    titleMaxChars: 99,
    descriptionMinChars: 10,
    descriptionMaxChars: 499,
    minDurationS: 5,
    maxDurationS: 300,
    maxAliases: 10,
    notesMaxChars: 300,
  })
})

it('closes sockets with codes that pages know', () => {
  expect([limits.ROOM_DONE_CODE, limits.ROOM_FULL_CODE]).toEqual([1000, 1013])
})

it('divides files as storage wants it', () => {
  expect(limits.MULTIPART_FROM_BYTES).toBe(16 * MIB)
  expect(limits.UPLOAD_PART_BYTES).toBe(8 * MIB)
  expect([limits.UPLOAD_URLS_MAX, limits.PRESIGNED_URL_TTL_S]).toEqual([50, 900])
})

it('takes files and bodies of so many bytes', () => {
  expect(limits.JSON_BODY_MAX_BYTES).toBe(MIB)
  expect(limits.AUDIO_CHUNK_MAX_BYTES).toBe(4 * MIB)
  expect([limits.CAPTIONS_MAX_BYTES, limits.RECORDING_MAX_BYTES]).toEqual([2 * MIB, 2 * MIB])
  expect([IMAGE_MAX_BYTES, IMAGES_MAX, IMAGES_MAX_BYTES]).toEqual([204_800, 1_200, 32 * MIB])
})

it('makes images of steps in three widths', () => {
  const { smallPx, largePx, widePx, smallMaxBytes, largeMaxBytes, wideMaxBytes } = STEP_IMAGE
  expect([smallPx, largePx, widePx]).toEqual([320, 960, 1_600])
  expect([smallMaxBytes, largeMaxBytes, wideMaxBytes]).toEqual([32_768, 81_920, 204_800])
})

it('makes a small copy where it saves two fifths of what loads slowly', () => {
  expect(smallCopy).toMatchObject({
    SMALL_COPY_SHARE_MAX: 0.6,
    SMALL_COPY_FROM_BYTES: 10_000_000,
    SMALL_COPY_FROM_BITS_PER_S: 500_000,
    SMALL_COPIES_LISTED_MAX: 100,
  })
})

it('keeps and waits as long as people were told', () => {
  expect(COMPLETION_PERCENT).toBe(90)
  expect(limits).toMatchObject({
    SAVED_LABEL_MS: 2_000,
    VIDEO_RENEW_MS: 300_000,
    RESTORABLE_DAYS: 7,
    REWRITE_DEADLINE_MS: 9_000,
    ANSWER_DEADLINE_MS: 9_000,
    ANSWER_UNWATCHED_MS: 15_000,
    RECORDING_MAX_MS: 120_000,
    FEEDBACK_REPEAT_S: 60,
    PLAYBACK_RATE_MAX: 2,
  })
})

it('keeps and answers as many as lists are made for', () => {
  expect(limits).toMatchObject({
    CAPTION_CUES_MAX: 20_000,
    VERSIONS_MAX: 500,
    REVIEW_COMMENTS_MAX: 200,
    VERSION_CHECKS_MAX: 500,
    REVIEWS_DUE_MAX: 50,
    LINKS_MAX: 50,
    SEARCH_WORDS_MAX: 8,
    FOUND_MODULES_MAX: 20,
    FOUND_HITS_MAX: 3,
    MODULES_PAGE_DEFAULT: 60,
    OPENED_MODULES_MAX: 200,
    FEEDBACK_ANSWER_KEPT_CHARS: 1_000,
    QUESTION_GROUPS_MAX: 200,
    TRAINER_ANSWERS_MAX: 200,
    ASKED_SHOWN_MAX: 20,
    COLLECTIONS_MAX: 200,
    SHOWN_REPORTS_MAX: 5,
    REPORT_ENTRIES_MAX: 200,
    COLLECTION_QUESTION_MAX_CHARS: 200,
    STEPS_FOUND_MAX: 8,
    MOMENTS_FOUND_MAX: 3,
    PEOPLE_MAX: 20_000,
    PEOPLE_PAGE_SIZE: 50,
    ASSIGNMENTS_MAX: 500,
  })
  expect(captions).toMatchObject({ CAPTION_REPAIRS_NAMED_MAX: 200, CAPTION_LINES_SHOWN: 5, CAPTION_READINGS_MAX: 4 })
  expect([SCREEN_CORRECTIONS_MAX, SCREEN_READING_MAX_BYTES]).toEqual([1_000, 500_000])
  expect([RECORDS_PER_PAGE, PROOF_ROWS_MAX, ASSIGNED_MAX]).toEqual([50, 1_000, 1_000])
  expect([MATRIX_PEOPLE, MATRIX_TRAININGS_MAX]).toEqual([50, 200])
})

it('takes no more of a client than it did', () => {
  expect(limits).toMatchObject({
    CORRECTIONS_MAX: 1_000,
    GROUPS_MAX: 200,
    QUESTION_MAX_CHARS: 2_000,
    ASKED_REPORTS_MAX: 20,
    ASSIGNED_PEOPLE_MAX: 200,
    AUDIO_CHUNKS_MAX: 17_280,
    AUDIO_PARTS_MAX: 99,
    AUDIO_TRACKS_MAX: 8,
    COLLECTION_MODULES_MAX: 100,
    CUTS_MAX: 200,
    DEBUG_LIST_MAX: 200,
    EARLIER_ANSWER_MAX_CHARS: 1_000,
    EARLIER_TURNS_MAX: 2,
    FEEDBACK_CONTEXT_MAX_CHARS: 2_000,
    FEEDBACK_MAX_CHARS: 5_000,
    FILENAME_MAX_CHARS: 255,
    GLOSSARY_MAX_CHARS: 800,
    GLOSSARY_WORDS_MAX: 20,
    GLOSSARY_WORD_MAX_CHARS: 100,
    GROUPS_OF_PERSON_MAX: 20,
    IMPORT_ROWS_MAX: 500,
    LANGUAGE_MAX_CHARS: 35,
    LINK_ANSWERS_MAX: 500,
    LINK_PASSWORD_MAX_CHARS: 100,
    LINK_PASSWORD_MIN_CHARS: 8,
    MODULES_PAGE_MAX: 100,
    MODULE_TITLE_MAX_CHARS: 200,
    PERSON_NAME_MAX_CHARS: 100,
    PERSON_NUMBER_MAX_CHARS: 40,
    QUESTIONS_GROUPED_MAX: 1_000,
    REPORT_MAX_CHARS: 200,
    REPORT_PHOTO_MAX_BYTES: 153_600,
    REPORT_SEGMENTS_MAX: 200,
    REVIEW_MONTHS_MAX: 60,
    REWRITE_INSTRUCTION_MAX_CHARS: 500,
    REWRITE_MAX_CHARS: 5_000,
    REWRITE_MIN_CHARS: 3,
    SCENES_MAX: 60,
    SEGMENT_MAX_CHARS: 2_000,
    STEP_HARD_LIMITS: {
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
    },
    TRAINER_ANSWER_MAX_CHARS: 600,
    VERSION_NOTE_MAX_CHARS: 1_000,
    VIDEO_MAX_S: 86_400,
  })
})
