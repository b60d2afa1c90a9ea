import * as module from '#contract/module.ts'
import * as assignment from '#contract/team/assignment.ts'
import * as my from '#contract/team/my-trainings.ts'
import * as notifications from '#contract/team/notifications.ts'
import * as people from '#contract/team/people.ts'
import { NOTHING, type RouteRow, WRITTEN_BEFORE } from './route-row.ts'

const PERSON = { name: 'Anna Berg', number: null, groupIds: [] }

const ASSIGNMENT = {
  subject: { kind: 'training', id: 'none' },
  groupIds: [],
  personIds: [],
  rule: { reached: true, confirmed: false, signedOff: false },
  due: null,
  everyMonths: null,
  byName: 'Anna Berg',
  timeZone: 'Europe/Berlin',
}

/** Routes of the people of an organization and of what they are trained on. */
export const TEAM_ROUTES: Record<string, RouteRow> = {
  'GET /api/people': { access: 'admin', query: people.PeopleRequest, answer: people.PeopleAnswer },
  'POST /api/people': { access: 'admin', json: PERSON, body: people.NewPerson, answer: people.PersonAnswer },
  'POST /api/people/import': {
    access: 'admin',
    json: { rows: [{ name: 'Anna Berg', number: '17', email: 'anna@example.com', groups: ['Line 3'] }] },
    body: people.ImportRequest,
    answer: people.ImportAnswer,
  },
  'PATCH /api/people/:personId': {
    access: 'manager',
    json: { name: 'Anna Holm' },
    body: people.PersonPatch,
    answer: people.PersonAnswer,
  },
  // The entry that it would be joined to is not there.
  'POST /api/people/:personId/join': {
    access: 'manager',
    ok: 404,
    json: { into: 'none' },
    body: people.JoinRequest,
    answer: people.PersonAnswer,
  },
  'POST /api/people/:personId/link': { access: 'manager', answer: people.SecretLinkAnswer },
  'DELETE /api/people/:personId/link': { access: 'manager', answer: people.PersonAnswer },
  'POST /api/people/:personId/code': { access: 'manager', answer: people.CodeAnswer },
  'GET /api/groups': { access: 'admin', answer: people.GroupsAnswer },
  'POST /api/groups': {
    access: 'admin',
    json: { name: 'Line 3' },
    body: people.GroupEdit,
    answer: people.GroupsAnswer,
  },
  'PATCH /api/groups/:groupId': {
    access: 'manager',
    json: { name: 'Line 4' },
    body: people.GroupEdit,
    answer: people.GroupsAnswer,
  },
  'DELETE /api/groups/:groupId': { access: 'manager', answer: people.GroupsAnswer },
  'POST /api/groups/:groupId/link': { access: 'manager', answer: people.SecretLinkAnswer },
  'DELETE /api/groups/:groupId/link': { access: 'manager', answer: people.GroupsAnswer },

  'GET /api/assignments': { access: 'admin', answer: assignment.AssignmentsAnswer },
  // It names nobody.
  'POST /api/assignments': {
    access: 'admin',
    ok: 400,
    json: ASSIGNMENT,
    body: assignment.NewAssignment,
    answer: assignment.SettleAnswer,
  },
  'POST /api/assignments/settle': {
    access: 'admin',
    json: { personIds: [] },
    body: assignment.SettleRequest,
    answer: assignment.SettleAnswer,
  },
  'POST /api/assignments/:assignmentId/settle': { access: 'manager', answer: assignment.SettleAnswer },
  'DELETE /api/assignments/:assignmentId': { access: 'manager', answer: assignment.SettleAnswer },

  'GET /api/notifications': { access: 'admin', answer: notifications.NotificationsAnswer },
  'PATCH /api/notifications': {
    access: 'admin',
    json: { sendsReminders: false, checkpointEmail: 'anna@example.com' },
    body: notifications.NotificationsPatch,
    answer: notifications.NotificationsAnswer,
  },
  'PUT /api/notifications/webhook': {
    access: 'admin',
    // Nobody listens there.
    json: { url: 'http://127.0.0.1:9/adapt' },
    body: notifications.WebhookEdit,
    answer: notifications.WebhookSecretAnswer,
  },
  'DELETE /api/notifications/webhook': {
    access: 'admin',
    answer: notifications.NotificationsAnswer,
    rows: WRITTEN_BEFORE,
  },
  'PUT /api/notifications/matrix-key': { access: 'admin', answer: notifications.MatrixKeyAnswer },
  'DELETE /api/notifications/matrix-key': {
    access: 'admin',
    answer: notifications.NotificationsAnswer,
    rows: WRITTEN_BEFORE,
  },
  'POST /api/notifications/webhook/retry': { access: 'admin', answer: notifications.NotificationsAnswer },

  // The device is nobody's.
  'GET /api/my': {
    access: 'anyone',
    ok: 401,
    search: 'lang=en',
    query: my.OwnTrainingsRequest,
    answer: my.OwnTrainingsAnswer,
  },
  'POST /api/my/open': {
    access: 'anyone',
    ok: 404,
    json: { key: 'p-nobody' },
    body: my.OpenLink,
    answer: my.OpenLinkAnswer,
    rows: NOTHING,
  },
  'POST /api/my/code': {
    access: 'anyone',
    ok: 404,
    json: { key: 'g-nobody', code: '22222222' },
    body: my.EnterCode,
    answer: module.Done,
    rows: 'the tries of a quarter of an hour, two rows each',
  },
  'POST /api/my/account': {
    access: 'user',
    json: { name: 'Anna Berg' },
    body: my.OpenAccount,
    answer: my.OpenAccountAnswer,
  },
  'DELETE /api/my/account': { access: 'anyone', answer: module.Done, rows: NOTHING },
  'POST /api/my/leave': { access: 'anyone', answer: module.Done, rows: NOTHING },
  'POST /api/my/trainings/:linkId/confirm': {
    access: 'anyone',
    ok: 401,
    json: { personId: 'anna', version: '0'.repeat(64), language: 'en' },
    body: my.ConfirmTraining,
    answer: module.Done,
    rows: 'each of a person and a version of a training once',
  },
}
