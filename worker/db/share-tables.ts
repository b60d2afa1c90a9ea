import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { InterfaceLanguage, LanguageTag } from '#contract/languages.ts'
import type { Approval, Publishers } from '#contract/review.ts'
import type { Complaint, TranslationState } from '#contract/translation.ts'
import type { Retraining } from '#contract/version.ts'
import { epochMs } from './schema.ts'

/** Modules under one title and one public link. It has one owner: the organization, or else the person. */
export const collections = sqliteTable(
  'collections',
  {
    id: text('id').primaryKey(),
    /** Who made it. */
    userId: text('user_id').notNull(),
    /** Organization that was active then; null for none. */
    orgId: text('org_id'),
    title: text('title').notNull(),
    /** In order. Some of them may have been deleted since. */
    moduleIds: text('module_ids', { mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
    shared: integer('shared', { mode: 'boolean' }).notNull().default(true),
    createdAt: epochMs('created_at').notNull(),
    updatedAt: epochMs('updated_at').notNull(),
  },
  (t) => [
    index('collections_by_user').on(t.userId, t.createdAt, t.id),
    index('collections_by_org').on(t.orgId, t.createdAt, t.id),
  ],
)

/** A part of a module in another language. What learners read of it depends on `sourceHash` being that of its source now. */
export const translations = sqliteTable(
  'translations',
  {
    moduleId: text('module_id').notNull(),
    language: text('language').$type<LanguageTag>().notNull(),
    /** `title`, `chapters`, `step:<id>`, `answer:<id>` or `captions:<id of the first line>`; `*` keeps why the last attempt failed. */
    item: text('item').notNull(),
    sourceHash: text('source_hash').notNull(),
    /** One for each text of the source; of `*` its code and its sentence. */
    texts: text('texts', { mode: 'json' }).$type<string[]>().notNull(),
    /** `person`, or the name of the model. */
    writer: text('writer').notNull(),
    state: text('state').$type<TranslationState>().notNull(),
    /** What the check found. */
    complaints: text('complaints', { mode: 'json' }).$type<Complaint[]>().notNull().default(sql`'[]'`),
    /** What a person had written before the source changed; null where there is nothing to compare. */
    earlier: text('earlier', { mode: 'json' }).$type<string[]>(),
    writtenAt: epochMs('written_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.language, t.item] })],
)

/** An address, and the language of who has set it. */
export interface CheckpointMail {
  email: string
  language: InterfaceLanguage
}

/** Where an organization has events sent to, signed (docs/decisions/assignments.md). */
export const webhooks = sqliteTable('webhooks', {
  orgId: text('org_id').primaryKey(),
  url: text('url').notNull(),
  /** Signs what is sent, so it is kept as it is. */
  secret: text('secret').notNull(),
  /** When an event was last taken; null before the first. */
  okAt: epochMs('ok_at'),
  /** When one last was not, and why: an HTTP status or a word of `NotTaken`. Null since the last that was. */
  failedAt: epochMs('failed_at'),
  failure: text('failure'),
  /** Since when nothing is sent, because an event was refused again and again; null while events are sent. */
  stoppedAt: epochMs('stopped_at'),
  updatedAt: epochMs('updated_at').notNull(),
})

/**
 * What an organization has set for all of its modules: the glossary that they have besides their own, and rules. The
 * table is named after what was there first, since migrations only add.
 */
export const organizationSettings = sqliteTable(
  'glossaries',
  {
    orgId: text('org_id').primaryKey(),
    /** As of a module. */
    words: text('words').notNull(),
    /** Whether screens are read, where a module has no switch of its own. */
    readsScreen: integer('reads_screen', { mode: 'boolean' }).notNull().default(true),
    /** Who may publish versions of its trainings. */
    publishers: text('publishers').$type<Publishers>().notNull().default('anyone'),
    /** Number of the first of its training records that is kept; those before it may be removed. */
    recordsFrom: integer('records_from').notNull().default(1),
    /** Hash of the record before that one, as a checkpoint has it; null while all are kept. */
    recordsFromHash: text('records_from_hash'),
    /** Months after which records are removed; null for never. */
    recordMonths: integer('record_months'),
    /** Why nothing of people and records is removed; null without a legal hold. */
    recordHold: text('record_hold'),
    /** Whether seconds and attempts of its people are shown. */
    showsEffort: integer('shows_effort', { mode: 'boolean' }).notNull().default(false),
    /** The newest record that a checkpoint in the bucket has, with the day of that checkpoint; 0 before the first. */
    checkpointSeq: integer('checkpoint_seq').notNull().default(0),
    checkpointHash: text('checkpoint_hash'),
    checkpointDay: text('checkpoint_day'),
    /** IANA name of the time zone in which days end; null for UTC. */
    timeZone: text('time_zone'),
    /** Whether its new trainings publish versions, and are seen by owners alone before their first. */
    publishesVersions: integer('publishes_versions', { mode: 'boolean' }).notNull().default(false),
    /** Whether people with an address get mail: reminders of what is due, and answers of the trainer. */
    sendsReminders: integer('sends_reminders', { mode: 'boolean' }).notNull().default(true),
    /** The last of its days on which it was looked up what is due; null before the first. */
    plannedDay: text('planned_day'),
    /** Who gets each checkpoint of the records by mail; null for nobody. */
    checkpointMail: text('checkpoint_mail', { mode: 'json' }).$type<CheckpointMail>(),
    /** Hash of the key with which programs read its matrix; null without one. */
    matrixKeyHash: text('matrix_key_hash'),
    /** Minutes after which a sign-in is too old to sign a training off without the password; null for never. */
    passwordMinutes: integer('password_minutes'),
    updatedAt: epochMs('updated_at').notNull(),
  },
  (t) => [
    index('glossaries_by_update').on(t.updatedAt),
    // The few whose records are removed after a time.
    index('glossaries_by_record_months').on(t.recordMonths).where(sql`record_months IS NOT NULL`),
    index('glossaries_by_matrix_key').on(t.matrixKeyHash).where(sql`matrix_key_hash IS NOT NULL`),
  ],
)

/** A link that was replaced by a newer one, so that its address can say so. */
export const replacedLinks = sqliteTable(
  'replaced_links',
  {
    /** In the address of the link. */
    id: text('id').primaryKey(),
    moduleId: text('module_id').notNull(),
    /** Whether it leads to the link that its module has now. */
    forwards: integer('forwards', { mode: 'boolean' }).notNull(),
  },
  (t) => [index('replaced_links_by_module').on(t.moduleId)],
)

/** That somebody may edit one training: until it is accepted for whoever has its link first, from then on for that account. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    moduleId: text('module_id').notNull(),
    /** Whom it is for, as an owner has written it. */
    name: text('name').notNull(),
    /** Hash of the secret in its link. */
    linkHash: text('link_hash').notNull(),
    createdAt: epochMs('created_at').notNull(),
    /** Until when it can be accepted. */
    expiresAt: epochMs('expires_at').notNull(),
    /** Who has accepted it, and as their browser names them; null before, as all that follows. */
    userId: text('user_id'),
    userName: text('user_name'),
    acceptedAt: epochMs('accepted_at'),
  },
  (t) => [
    uniqueIndex('invitations_by_link').on(t.linkHash),
    // Each account once, so that removing its invitation ends all that it may do.
    uniqueIndex('invitations_by_module').on(t.moduleId, t.userId),
    index('invitations_by_user').on(t.userId, t.acceptedAt).where(sql`user_id IS NOT NULL`),
    index('invitations_open').on(t.expiresAt).where(sql`user_id IS NULL`),
  ],
)

/** A version of a training that was published. Its content is an object in the bucket, named by its hash. */
export const trainingVersions = sqliteTable(
  'training_versions',
  {
    moduleId: text('module_id').notNull(),
    /** From 1 in each training. */
    number: integer('number').notNull(),
    /** Equal for equal content. */
    hash: text('hash').notNull(),
    note: text('note').notNull(),
    retraining: text('retraining').$type<Retraining>().notNull(),
    /** Who published it. */
    userId: text('user_id').notNull(),
    publishedAt: epochMs('published_at').notNull(),
    /** What its publisher has put their name to; null where the rules asked for none. */
    approval: text('approval', { mode: 'json' }).$type<Approval>(),
    /** What lists of learners show, so that they read no object. */
    title: text('title').notNull(),
    stepCount: integer('step_count').notNull(),
    /** `stepsVersion` of its module with which learners saw it first. */
    stepsVersion: integer('steps_version').notNull(),
    /** Whether it is recorded who is to be trained again because of it. */
    isAsked: integer('is_asked', { mode: 'boolean' }).notNull().default(true),
    /** What its seconds mean, so that acts of learners read no object; null until one of them was read. */
    timeline: text('timeline'),
    /** The date of its review of which somebody was told by mail; null before. */
    reviewTold: epochMs('review_told'),
  },
  (t) => [
    primaryKey({ columns: [t.moduleId, t.number] }),
    index('training_versions_by_user').on(t.userId, t.publishedAt),
    index('training_versions_to_ask').on(t.publishedAt).where(sql`is_asked = 0`),
  ],
)

/** A draft that an owner asks to be released, one of each training. It goes when a version is published. */
export const versionReviews = sqliteTable(
  'version_reviews',
  {
    moduleId: text('module_id').primaryKey(),
    /** Of the draft as it was then. */
    hash: text('hash').notNull(),
    note: text('note').notNull(),
    retraining: text('retraining').$type<Retraining>().notNull(),
    /** Who asks, and as they have written it. */
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    askedAt: epochMs('asked_at').notNull(),
    /** Who has sent it back, and as they have written it; null before, as all that follows. */
    answeredBy: text('answered_by'),
    answerName: text('answer_name'),
    reason: text('reason'),
    answeredAt: epochMs('answered_at'),
  },
  (t) => [
    index('version_reviews_by_user').on(t.userId),
    index('version_reviews_by_answer').on(t.answeredBy).where(sql`answered_by IS NOT NULL`),
  ],
)

/** What owners say of the steps of a draft while it is reviewed. It stays with the version that the draft becomes. */
export const reviewComments = sqliteTable(
  'review_comments',
  {
    id: text('id').primaryKey(),
    moduleId: text('module_id').notNull(),
    /** Of the version that the draft became; null while it is the draft. */
    number: integer('number'),
    stepId: text('step_id').notNull(),
    /** Who says it, and as they have written it. */
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    text: text('text').notNull(),
    createdAt: epochMs('created_at').notNull(),
    /** When what was said of its step was settled; null while it is open. */
    resolvedAt: epochMs('resolved_at'),
  },
  (t) => [
    index('review_comments_by_module').on(t.moduleId, t.number, t.createdAt),
    index('review_comments_by_user').on(t.userId, t.id),
  ],
)

/** That a published version was looked at again and is still right: a record, which nothing changes but an erasure. */
export const versionChecks = sqliteTable(
  'version_checks',
  {
    id: text('id').primaryKey(),
    moduleId: text('module_id').notNull(),
    number: integer('number').notNull(),
    /** Who has looked, and as they have written it. */
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    checkedAt: epochMs('checked_at').notNull(),
  },
  (t) => [index('version_checks_by_module').on(t.moduleId, t.checkedAt), index('version_checks_by_user').on(t.userId)],
)
