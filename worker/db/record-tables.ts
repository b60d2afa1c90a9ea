import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { PersonTraining } from '#contract/records/person-training.ts'
import type { DoneRule, RecordKind } from '#contract/records/training-record.ts'
import type { StateFrom } from '#contract/records/training-state.ts'
import { epochMs } from './schema.ts'

/** A name that a person had, with the salt of its commitment in records. */
export interface HeldName {
  name: string
  number: string | null
  /** Hexadecimal digits; dies with the name. */
  salt: string
}

/** People whom an organization trains, with an account or without. Who leaves is inactive; erasing removes the row. */
export const people = sqliteTable(
  'people',
  {
    orgId: text('org_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** Of the organization's own list; null without one. */
    number: text('number'),
    /** False for a name that an account's browser has said, until somebody who manages the organization saves it. */
    isNameChecked: integer('is_name_checked', { mode: 'boolean' }).notNull().default(true),
    /** The commitment of `name` and `number`, as records hold it. */
    commitment: text('commitment').notNull(),
    /** The names that records mean, the newest last; the last is that of now. */
    names: text('names', { mode: 'json' }).$type<HeldName[]>().notNull(),
    /** Where reminders go; null for nowhere. */
    email: text('email'),
    /** Account; null for people without one. */
    userId: text('user_id'),
    /** SHA-256 of the secret of the personal link; null while there is none. */
    linkHash: text('link_hash'),
    /** Keyed hash of the code that works inside the link of a group; null while there is none. */
    codeHash: text('code_hash'),
    /**
     * What was signed for the person before opens nothing, by whatever they were known, an account included; 0 while
     * nothing was taken back. A new link or code ends only what the one before it has opened.
     */
    accessFrom: epochMs('access_from').notNull().default(0),
    /** When the personal link was made; what one before it has opened is over. 0 before the first. */
    linkFrom: epochMs('link_from').notNull().default(0),
    /** The same of the code. */
    codeFrom: epochMs('code_from').notNull().default(0),
    isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
    /** The other entry of the same person, which is used instead. */
    joinedTo: text('joined_to'),
    createdAt: epochMs('created_at').notNull(),
    updatedAt: epochMs('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    index('people_by_name').on(t.orgId, t.isActive, t.name, t.id),
    uniqueIndex('people_by_number').on(t.orgId, t.number).where(sql`number IS NOT NULL`),
    uniqueIndex('people_by_user').on(t.userId, t.orgId).where(sql`user_id IS NOT NULL`),
    uniqueIndex('people_by_link').on(t.linkHash).where(sql`link_hash IS NOT NULL`),
  ],
)

/** People who get assignments together, such as a line or a shift. */
export const peopleGroups = sqliteTable(
  'people_groups',
  {
    orgId: text('org_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** SHA-256 of the secret of the link for a shared device; null while there is none. */
    linkHash: text('link_hash'),
    /** When that link was made; codes that were entered at one before it have no effect any more. */
    linkFrom: epochMs('link_from').notNull().default(0),
    createdAt: epochMs('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    uniqueIndex('people_groups_by_link').on(t.linkHash).where(sql`link_hash IS NOT NULL`),
  ],
)

/** Who belongs to which group. */
export const groupPeople = sqliteTable(
  'group_people',
  {
    orgId: text('org_id').notNull(),
    groupId: text('group_id').notNull(),
    personId: text('person_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.groupId, t.personId] }),
    index('group_people_by_person').on(t.orgId, t.personId),
  ],
)

/** What is asked of whom. One of training and collection is set, and one of groups and people is not empty. */
export const assignments = sqliteTable(
  'assignments',
  {
    orgId: text('org_id').notNull(),
    id: text('id').notNull(),
    moduleId: text('module_id'),
    collectionId: text('collection_id'),
    groupIds: text('group_ids', { mode: 'json' }).$type<string[]>().notNull(),
    personIds: text('person_ids', { mode: 'json' }).$type<string[]>().notNull(),
    rule: text('rule', { mode: 'json' }).$type<DoneRule>().notNull(),
    /** End of its last day in the time zone of the organization; null for none. */
    dueAt: epochMs('due_at'),
    /** Days after the assignment; null for none, or with `dueAt`. */
    dueDays: integer('due_days'),
    everyMonths: integer('every_months'),
    /** Whether what was done before it was made counts, too. */
    countsEarlier: integer('counts_earlier', { mode: 'boolean' }).notNull().default(false),
    /** Person who assigned it. */
    byPersonId: text('by_person_id').notNull(),
    createdAt: epochMs('created_at').notNull(),
    /** When it was taken back; null while it is open. */
    endedAt: epochMs('ended_at'),
    /** When it is compared with the records again; null where they say of everybody what it asks for. */
    settleAt: epochMs('settle_at'),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    index('assignments_by_age').on(t.orgId, t.createdAt, t.id),
    index('assignments_by_module').on(t.moduleId),
    index('assignments_by_collection').on(t.collectionId),
    index('assignments_to_settle').on(t.settleAt).where(sql`settle_at IS NOT NULL`),
  ],
)

/**
 * The append-only list of an organization, each row with the hash of the one before it. Triggers refuse every change,
 * and every removal but that of rows before `records_from` of the organization (docs/decisions/training-records.md).
 */
export const trainingRecords = sqliteTable(
  'training_records',
  {
    orgId: text('org_id').notNull(),
    seq: integer('seq').notNull(),
    hash: text('hash').notNull(),
    /** `TrainingRecord` in canonical JSON, of which `hash` is the SHA-256. */
    text: text('text').notNull(),
    kind: text('kind').$type<RecordKind>().notNull(),
    createdAt: epochMs('created_at').notNull(),
  },
  // Finds the few corrections and erasures among all others.
  (t) => [primaryKey({ columns: [t.orgId, t.seq] }), index('training_records_by_kind').on(t.orgId, t.kind, t.seq)],
)

/** Whom and what a record is about, by which the records of a person or a training are found. */
export const recordSubjects = sqliteTable(
  'record_subjects',
  {
    orgId: text('org_id').notNull(),
    personId: text('person_id').notNull(),
    moduleId: text('module_id').notNull(),
    seq: integer('seq').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.personId, t.moduleId, t.seq] }),
    index('record_subjects_by_module').on(t.orgId, t.moduleId, t.seq),
  ],
)

/** What the records say of a person and a training; made of them alone, in the batch of each record. */
export const personTrainings = sqliteTable(
  'person_trainings',
  {
    orgId: text('org_id').notNull(),
    personId: text('person_id').notNull(),
    moduleId: text('module_id').notNull(),
    known: text('known', { mode: 'json' }).$type<PersonTraining>().notNull(),
    /** How its state changes with time alone (`timelineOf`), for counting. */
    timeline: text('timeline', { mode: 'json' }).$type<StateFrom[]>().notNull().default(sql`'[]'`),
    /** Hash of the version that was done; null for none. */
    doneHash: text('done_hash'),
    /** Of the last record in it. */
    seq: integer('seq').notNull(),
    /** What the records up to `base_seq` said, from which it is made anew once they are removed; null before. */
    base: text('base', { mode: 'json' }).$type<PersonTraining>(),
    baseSeq: integer('base_seq').notNull().default(0),
    /** The date of which the person was reminded last, and how near it was (`STAGES`); null and 0 before. */
    remindedOf: epochMs('reminded_of'),
    remindedStage: integer('reminded_stage').notNull().default(0),
    /** The date of which it was last told that it had passed; null before. */
    overdueTold: epochMs('overdue_told'),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.personId, t.moduleId] }),
    index('person_trainings_by_module').on(t.moduleId, t.orgId),
  ],
)
