import { z } from 'zod'
import {
  EMAIL_MAX_CHARS,
  GROUPS_OF_PERSON_MAX,
  IMPORT_ROWS_MAX,
  PERSON_NAME_MAX_CHARS,
  PERSON_NUMBER_MAX_CHARS,
} from '../limits.ts'
import { Success } from '../problem.ts'

/** One line of text, written in one way however it was typed. */
const line = (maxChars: number) =>
  z
    .string()
    .overwrite((text) =>
      text
        .normalize('NFC')
        .replace(/[\s\p{C}]+/gu, ' ')
        .trim(),
    )
    .min(1)
    .max(maxChars)

const Id = z.string().min(1).max(64)
/** What a person is called. */
export const PersonNameText = line(PERSON_NAME_MAX_CHARS)
/** Number of a person in the organization's own list. */
export const PersonNumber = line(PERSON_NUMBER_MAX_CHARS)
/** Where a person gets reminders. */
export const PersonEmail = z.string().trim().max(EMAIL_MAX_CHARS).pipe(z.email())
/** What a group is called. */
export const GroupName = line(PERSON_NAME_MAX_CHARS)
const GroupIds = z.array(Id).max(GROUPS_OF_PERSON_MAX)

/** A person whom an organization trains. */
export const Person = z.object({
  id: z.string(),
  name: z.string(),
  number: z.string().nullable(),
  /** Null for a person who is not reminded by mail. */
  email: z.string().nullable(),
  hasAccount: z.boolean(),
  /** False for the name that an account came with, which its browser may have made up. */
  isNameChecked: z.boolean(),
  /** False for those who have left. */
  isActive: z.boolean(),
  hasLink: z.boolean(),
  /** For the shared device of a group. */
  hasCode: z.boolean(),
  groupIds: z.array(z.string()),
})
export type Person = z.infer<typeof Person>

/** Query of `GET /api/people`. */
export const PeopleRequest = z.object({
  /** In the name, or the number. */
  query: z.string().trim().max(PERSON_NAME_MAX_CHARS).optional(),
  group: Id.optional(),
  /** Those who have left instead. */
  left: z.literal('yes').optional(),
  /** The `next` of the answer before. */
  after: z.string().max(400).optional(),
})
export type PeopleRequest = z.infer<typeof PeopleRequest>

/** Answer of `GET /api/people`: by name. */
export const PeopleAnswer = Success.extend({
  people: z.array(Person),
  /** Null at the end. */
  next: z.string().nullable(),
})
export type PeopleAnswer = z.infer<typeof PeopleAnswer>

/** Body of `POST /api/people`. */
export const NewPerson = z.strictObject({
  name: PersonNameText,
  number: PersonNumber.nullable(),
  email: PersonEmail.nullable().default(null),
  groupIds: GroupIds,
})
export type NewPerson = z.infer<typeof NewPerson>

/** Body of `PATCH /api/people/{id}`. What is left out stays. */
export const PersonPatch = NewPerson.extend({ email: PersonEmail.nullable(), isActive: z.boolean() }).partial()
export type PersonPatch = z.infer<typeof PersonPatch>

/** Answer of calls that change one person. */
export const PersonAnswer = Success.extend({ person: Person })
export type PersonAnswer = z.infer<typeof PersonAnswer>

/** Body of `POST /api/people/{id}/join`: the entry of the same person that is used from now on. */
export const JoinRequest = z.strictObject({ into: Id })
export type JoinRequest = z.infer<typeof JoinRequest>

/** Answer of `POST /api/people/{id}/link` and of `POST /api/groups/{id}/link`. It is shown this once: only its hash is kept. */
export const SecretLinkAnswer = Success.extend({
  /** Path with the secret behind `#`, which no server is told. */
  path: z.string(),
})
export type SecretLinkAnswer = z.infer<typeof SecretLinkAnswer>

/** Answer of `POST /api/people/{id}/code`, shown this once. */
export const CodeAnswer = Success.extend({ code: z.string() })
export type CodeAnswer = z.infer<typeof CodeAnswer>

/** People who get assignments together. */
export const Group = z.object({
  id: z.string(),
  name: z.string(),
  /** Those who have not left. */
  people: z.number().int(),
  /** Of a shared device. */
  hasLink: z.boolean(),
})
export type Group = z.infer<typeof Group>

/** Answer of `GET /api/groups`, and of calls that change one. */
export const GroupsAnswer = Success.extend({ groups: z.array(Group) })
export type GroupsAnswer = z.infer<typeof GroupsAnswer>

/** Body of `POST /api/groups` and `PATCH /api/groups/{id}`. */
export const GroupEdit = z.strictObject({ name: GroupName })
export type GroupEdit = z.infer<typeof GroupEdit>

/** One line of a list of people. */
export const ImportRow = z.strictObject({
  name: PersonNameText,
  number: PersonNumber.nullable(),
  /** An address that is known stays where a list has none. */
  email: PersonEmail.nullable().default(null),
  /** Names. Groups that are not there yet are made. */
  groups: z.array(GroupName).max(GROUPS_OF_PERSON_MAX),
})
export type ImportRow = z.infer<typeof ImportRow>

/** Body of `POST /api/people/import`. The same rows again change nothing. */
export const ImportRequest = z.strictObject({
  rows: z.array(ImportRow).min(1).max(IMPORT_ROWS_MAX),
  /** Whether the call only says whom the rows rename, and changes nothing. */
  isPreview: z.boolean().optional(),
})
export type ImportRequest = z.infer<typeof ImportRequest>

/** Answer of `POST /api/people/import`, in numbers of people. */
export const ImportAnswer = Success.extend({
  added: z.number().int(),
  changed: z.number().int(),
  unchanged: z.number().int(),
  /** People who are known by their number, and have another name in the list. */
  renamed: z.array(z.object({ before: z.string(), after: z.string() })),
  /** All of them, whose assignments are settled next (`POST /api/assignments/settle`); none in a preview. */
  personIds: z.array(z.string()),
})
export type ImportAnswer = z.infer<typeof ImportAnswer>
