import type { Page } from '@playwright/test'
import type { AssignmentsAnswer } from '#contract/team/assignment.ts'
import type { OwnTraining, OwnTrainingsAnswer } from '#contract/team/my-trainings.ts'
import type { NotificationsAnswer } from '#contract/team/notifications.ts'
import type { GroupsAnswer, PeopleAnswer } from '#contract/team/people.ts'
import { SEEDED_ADMIN, SEEDED_ORGANIZATION, SEEDED_PASSWORD } from '#local/clerk/store/seeded-team.ts'
import { signInByCall, workIn } from '../people.ts'
import { go, type Screen } from './screen.ts'

const LONG = 'Wolfeschlegelsteinhausenbergerdorff-Maximilianowitsch von und zu Hohenlohe'
const PERSON = {
  number: null,
  email: null,
  hasAccount: false,
  isNameChecked: true,
  isActive: true,
  hasLink: true,
  hasCode: false,
  groupIds: ['g1'],
}
const PEOPLE: PeopleAnswer['people'] = [
  { ...PERSON, id: 'p1', name: 'Anna Berg', number: '1017', hasCode: true },
  { ...PERSON, id: 'p2', name: 'عبد الرحمن بن محمد', hasLink: false, hasAccount: true, isNameChecked: false },
  { ...PERSON, id: 'p3', name: LONG, groupIds: ['g1', 'g2'] },
]
const GROUPS: GroupsAnswer['groups'] = [
  { id: 'g1', name: 'Line 3', people: 3, hasLink: true },
  { id: 'g2', name: 'Assembly hall 12, machines with hydraulic presses', people: 1, hasLink: false },
]
const ASSIGNMENTS: AssignmentsAnswer['assignments'] = [
  {
    id: 'a1',
    subject: { kind: 'training', id: 'm1' },
    title: 'Change the filter of the filling machine',
    groupIds: ['g1', 'g2'],
    personIds: [],
    people: 3,
    rule: { reached: true, confirmed: true, signedOff: false },
    dueAt: '2030-03-31T21:59:59.999Z',
    dueDays: null,
    everyMonths: 12,
    countsEarlier: true,
    createdAt: '2026-11-01T08:00:00.000Z',
  },
]
const TRAINING: OwnTraining = {
  moduleId: 'm1',
  version: '0'.repeat(64),
  title: 'Change the filter of the filling machine',
  stepCount: 4,
  path: '/share/m1',
  rule: { reached: true, confirmed: true, signedOff: false },
  dueAt: '2026-01-31T21:59:59.999Z',
  startedAt: '2026-01-20T08:00:00.000Z',
  reachedAt: '2026-01-20T08:10:00.000Z',
  confirmedAt: null,
  doneAt: null,
  expiresAt: null,
  isOpen: true,
  refusedSteps: 0,
  changedSteps: null,
}
const DONE = { ...TRAINING, moduleId: 'm2', isOpen: false, doneAt: '2026-01-20T08:10:00.000Z' }
const OWN: OwnTrainingsAnswer = {
  success: true,
  personId: 'p1',
  name: LONG,
  isShared: true,
  trainings: [
    TRAINING,
    { ...TRAINING, moduleId: 'm3', title: 'Start the press', reachedAt: null, changedSteps: 2, dueAt: null },
    { ...DONE, title: 'Lift with the crane', expiresAt: '2030-01-20T08:10:00.000Z' },
  ],
  confirmation: 'I have gone through this training, I have understood it, and I will work as it shows.',
}

/** Signs the admin of an organization in, whose people and assignments these are. */
async function openTeam(page: Page, path: string, text: string): Promise<void> {
  await signInByCall(page.request, { email: SEEDED_ADMIN.email, password: SEEDED_PASSWORD })
  await page.goto('/dashboard')
  await workIn(page, SEEDED_ORGANIZATION.name)
  const answers = {
    people: { people: PEOPLE, next: null },
    groups: { groups: GROUPS },
    assignments: { assignments: ASSIGNMENTS },
  }
  for (const [name, answer] of Object.entries(answers))
    await page.route(new RegExp(`/api/${name}(\\?|$)`), (route) =>
      route.fulfill({ json: { success: true, ...answer } }),
    )
  await go(page, path, text)
}

const NOTIFICATIONS: NotificationsAnswer = {
  success: true,
  canMail: true,
  sendsReminders: true,
  hasMatrixKey: true,
  checkpointEmail: 'audit@example.com',
  webhook: {
    url: `https://hooks.example.org/${'machine-room-'.repeat(8)}`,
    takenAt: null,
    failure: { at: '2026-11-02T10:00:00.000Z', reason: '503' },
    stoppedAt: '2026-11-02T20:00:00.000Z',
    waiting: 12,
  },
}

async function openNotifications(page: Page, changes: Partial<NotificationsAnswer>): Promise<void> {
  await page.route(/\/api\/notifications$/, (route) => route.fulfill({ json: { ...NOTIFICATIONS, ...changes } }))
  await openTeam(page, '/team/notifications', 'Webhook')
}

async function fakeOwn(page: Page): Promise<void> {
  await page.route(/\/api\/my\?/, (route) => route.fulfill({ json: OWN }))
}

/** People, assignments, and everybody's own trainings. */
export const TEAM_SCREENS: readonly Screen[] = [
  { name: 'team-without-organization', who: 'person', open: (page) => go(page, '/team', 'A team is an organization') },
  { name: 'team-people', who: 'stranger', open: (page) => openTeam(page, '/team/people', 'Anna Berg') },
  {
    name: 'team-import',
    who: 'stranger',
    open: async (page) => {
      await openTeam(page, '/team/people', 'Anna Berg')
      await page.getByRole('button', { name: 'Import a list' }).click()
      await page.getByLabel('Rows').fill('Anna,1,Line 3\nBo,2\n,3\nAnna,1')
    },
  },
  {
    name: 'team-assignments',
    who: 'stranger',
    open: (page) => openTeam(page, '/team/assignments', 'Change the filter'),
  },
  {
    name: 'team-assign',
    who: 'stranger',
    open: async (page) => {
      await openTeam(page, '/team/assignments', 'Change the filter')
      await page.getByRole('button', { name: 'Assign a training' }).click()
      await page.getByLabel('Line 3').waitFor()
    },
  },
  { name: 'team-notifications', who: 'stranger', open: (page) => openNotifications(page, { webhook: null }) },
  { name: 'team-notifications-stopped', who: 'stranger', open: (page) => openNotifications(page, {}) },
  {
    name: 'team-notifications-no-mail',
    who: 'stranger',
    open: (page) => openNotifications(page, { canMail: false, webhook: null }),
  },
  {
    name: 'own-trainings',
    who: 'stranger',
    open: async (page) => {
      await fakeOwn(page)
      await go(page, '/my', 'Start the press')
    },
  },
  { name: 'own-trainings-nobody', who: 'stranger', open: (page) => go(page, '/my', 'Open your personal link again') },
]
