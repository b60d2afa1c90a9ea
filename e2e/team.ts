import { type APIRequestContext, expect, type Page } from '@playwright/test'
import type { MatrixAnswer } from '#contract/records/matrix.ts'
import type { RecordsAnswer, ShownRecord } from '#contract/records/record-list.ts'
import type { TrainingState } from '#contract/records/training-state.ts'
import type { CodeAnswer, GroupsAnswer, PersonAnswer, SecretLinkAnswer } from '#contract/team/people.ts'
import { copyModule } from './copy-module.ts'
import { createAccount, signInByCall, tokenByCall } from './people.ts'
import { makeSample } from './sample-module.ts'
import { runSql } from './seed-modules.ts'

const ZONE = 'Europe/Berlin'

/** Works in an organization from now on. */
export async function activate(request: APIRequestContext, orgId: string): Promise<void> {
  const client = (await (await request.get('/__clerk/v1/client')).json()) as {
    response: { last_active_session_id: string }
  }
  const path = `/__clerk/v1/client/sessions/${client.response.last_active_session_id}/touch`
  const answer = await request.post(path, { form: { active_organization_id: orgId } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

interface TeamFields {
  request: APIRequestContext
  account: Awaited<ReturnType<typeof createAccount>>
  orgId: string
  /** Of a training with a video, which those of the team are copies of. */
  sampleId: string
}

/** An organization that trains people, by the calls that its pages make. */
export class Team {
  readonly #of: TeamFields

  private constructor(of: TeamFields) {
    this.#of = of
  }

  /** Signs a trainer up who has founded an organization, in which the page works from then on. */
  static async found(page: Page, name: string): Promise<Team> {
    const { request } = page
    const sampleId = await makeSample(page)
    // The sample came with an account of its own.
    await page.context().clearCookies()
    const account = await createAccount(request)
    const made = await request.post('/__clerk/v1/organizations', { form: { name } })
    const orgId = ((await made.json()) as { response: { id: string } }).response.id
    await activate(request, orgId)
    return new Team({ request, account, orgId, sampleId })
  }

  get orgId(): string {
    return this.#of.orgId
  }

  /** Signs the trainer in on another page too. */
  async signIn({ request }: Page): Promise<void> {
    await signInByCall(request, this.#of.account)
    await activate(request, this.#of.orgId)
  }

  /** Has the trainer's sign-ins be of an hour ago. */
  async ageSignIns(): Promise<void> {
    const { origin, userId } = this.#of.account
    const theirs = 'SELECT id FROM local_clerk_sessions WHERE user_id = ?1'
    for (const table of ['local_clerk_sessions', 'local_clerk_verifications'])
      await runSql(origin, `UPDATE ${table} SET created_at_ms = created_at_ms - 3600000 WHERE id IN (${theirs})`, [
        userId,
      ])
  }

  get password(): string {
    return this.#of.account.password
  }

  async #call<Answer>(method: string, path: string, data?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${await tokenByCall(this.#of.request)}` }
    const answer = await this.#of.request.fetch(path, { method, headers, ...(data && { data }) })
    expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true)
    return (await answer.json()) as Answer
  }

  /** Adds a training of three steps with two seconds each. @returns its id */
  async addTraining(title: string, steps: readonly string[]): Promise<string> {
    const { account, orgId, sampleId } = this.#of
    const id = await copyModule(account.origin, account.userId, sampleId)
    const change = 'UPDATE modules SET org_id = ?1, title = ?2, title_folded = lower(?2) WHERE id = ?3'
    await runSql(account.origin, change, [orgId, title, id])
    await this.saveSteps(id, steps)
    return id
  }

  async saveSteps(id: string, titles: readonly string[]): Promise<void> {
    const steps = titles.map((title, index) => ({
      id: `s${index}`,
      title,
      description: 'As the video shows it.',
      start: index * 2,
      end: index * 2 + 2,
    }))
    await this.#call('POST', `/api/steps/${id}`, { steps })
  }

  /** Publishes the draft; who has done the one before does its changed steps again. */
  async publishChanged(id: string): Promise<void> {
    const { hash: draft } = await this.#call<{ hash: string }>('GET', `/api/versions/${id}/draft`)
    await this.#call('POST', `/api/versions/${id}`, { draft, published: 1, note: '', retraining: 'changed' })
  }

  async addGroup(name: string): Promise<{ id: string; path: string }> {
    const { groups } = await this.#call<GroupsAnswer>('POST', '/api/groups', { name })
    const id = groups.find((group) => group.name === name)?.id ?? ''
    const { path } = await this.#call<SecretLinkAnswer>('POST', `/api/groups/${id}/link`)
    return { id, path }
  }

  async addPerson(name: string, groupIds: readonly string[]): Promise<string> {
    return (await this.#call<PersonAnswer>('POST', '/api/people', { name, number: null, groupIds })).person.id
  }

  async codeOf(personId: string): Promise<string> {
    return (await this.#call<CodeAnswer>('POST', `/api/people/${personId}/code`)).code
  }

  /** A new personal link; the one before opens nothing any more. */
  async linkOf(personId: string): Promise<string> {
    return (await this.#call<SecretLinkAnswer>('POST', `/api/people/${personId}/link`)).path
  }

  async assign(
    id: string,
    asked: { groupIds?: string[]; personIds?: string[]; rule: object; everyMonths?: number },
  ): Promise<void> {
    const nothing = { groupIds: [], personIds: [], due: null, everyMonths: null }
    const by = { byName: 'Tara Trainer', timeZone: ZONE }
    const { left } = await this.#call<{ left: number }>('POST', '/api/assignments', {
      subject: { kind: 'training', id },
      ...nothing,
      ...by,
      ...asked,
    })
    expect(left).toBe(0)
  }

  /** The records of some kind, the newest first. */
  async records(kind: ShownRecord['kind']): Promise<ShownRecord[]> {
    return (await this.#call<RecordsAnswer>('GET', `/api/records?kind=${kind}`)).records
  }

  async stateOf(personId: string, trainingId: string): Promise<TrainingState | undefined> {
    const { people } = await this.#call<MatrixAnswer>('GET', '/api/matrix')
    const cells = people.find(({ id }) => id === personId)?.cells ?? []
    return cells.find((cell) => cell.trainingId === trainingId)?.state
  }
}
