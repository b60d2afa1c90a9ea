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

/** What is shown only once, of a person whose menu this is. */
async function openSecret(page: Page, name: string, action: string): Promise<void> {
  const path = '/my#p-0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
  const [person] = PEOPLE
  await page.route('**/api/people/*/link', (route) => route.fulfill({ json: { success: true, path, person } }))
  await page.route('**/api/people/*/code', (route) =>
    route.fulfill({ json: { success: true, code: 'K7QM2XTR', person } }),
  )
  await openTeam(page, '/team/people', name)
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
  if (name === 'Anna Berg') await page.getByRole('button', { name: 'Make a new one' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).waitFor()
}

/** Which other entry a person is, as somebody with a long name may be. */
async function openJoin(page: Page): Promise<void> {
  await openTeam(page, '/team/people', LONG)
  await page.getByRole('button', { name: `Actions for ${LONG}` }).click()
  await page.getByRole('menuitem', { name: 'Same person as another entry' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Anna Berg/ })
    .waitFor()
}

/** The page of a shared device, on which nobody has entered a code. */
async function openDevice(page: Page): Promise<void> {
  await page.route('**/api/my/open', (route) => route.fulfill({ json: { success: true, kind: 'group', name: LONG } }))
  await page.route(/\/api\/my\?/, (route) => route.fulfill({ status: 401, json: {} }))
  await go(page, '/my#g-0123456789abcdefghijklmnopqrstuvwxyzABCDEFG', 'Your code')
}

/** What an open dialog of the team's people is called, and the button that opens it. */
async function openDialog(page: Page, button: string): Promise<void> {
  await openTeam(page, '/team/people', 'Anna Berg')
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('dialog').waitFor()
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
  { name: 'team-person', who: 'stranger', open: (page) => openDialog(page, 'Add a person') },
  { name: 'team-groups', who: 'stranger', open: (page) => openDialog(page, 'Groups') },
  { name: 'team-personal-link', who: 'stranger', open: (page) => openSecret(page, 'Anna Berg', 'Personal link') },
  { name: 'team-code', who: 'stranger', open: (page) => openSecret(page, LONG, 'Code for a shared device') },
  {
    name: 'team-new-link',
    who: 'stranger',
    open: async (page) => {
      await openTeam(page, '/team/people', 'Anna Berg')
      await page.getByRole('button', { name: 'Actions for Anna Berg' }).click()
      await page.getByRole('menuitem', { name: 'Personal link' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  { name: 'team-join', who: 'stranger', open: openJoin },
  {
    name: 'team-join-question',
    who: 'stranger',
    open: async (page) => {
      await openJoin(page)
      await page.getByRole('button', { name: /^Anna Berg/ }).click()
      await page.getByRole('alertdialog').waitFor()
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
  { name: 'own-trainings-device', who: 'stranger', open: openDevice },
  { name: 'own-trainings-nobody', who: 'stranger', open: (page) => go(page, '/my', 'Open your personal link again') },
]
