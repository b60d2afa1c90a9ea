import type { Who } from './access-callers.ts'
import type { RouteRow } from './route-row.ts'
import { ROUTES } from './route-table.ts'

/** What stands for the parameters of paths, besides the ids of the planted module, and of what has the same. */
const PARAMS: Record<string, string> = {
  answerId: 'none',
  hash: '0'.repeat(64),
  invitationId: 'none',
  language: 'es',
  name: 'poster',
  part: '1',
  pseudonym: '0'.repeat(32),
  recordedId: 'none',
  reportId: 'a-report-of-the-matrix',
  segmentId: 'none',
  seq: '1000000',
  stepId: 'a',
  turnId: 'turn-that-is-not-there',
}

function pathOf(name: string, { search }: RouteRow, moduleId: string): { method: string; path: string } {
  const [method = '', template = ''] = name.split(' ')
  const fields: Record<string, string> = {
    ...PARAMS,
    moduleId,
    collectionId: moduleId,
    personId: moduleId,
    groupId: moduleId,
    assignmentId: moduleId,
    linkId: moduleId,
  }
  const fill = (text: string) => text.replaceAll(/:([a-zA-Z]+)/g, (whole, field: string) => fields[field] ?? whole)
  return { method, path: fill(template) + (search === undefined ? '' : `?${search.replaceAll(':moduleId', moduleId)}`) }
}

/** The least that a route takes, about a module, or about the collection, the person or the group of the same id. */
export function requestFor(name: string, moduleId: string, { token, ...signedIn }: Who) {
  const route = ROUTES[name] as RouteRow
  const { method, path } = pathOf(name, route, moduleId)
  const json: object | undefined =
    route.json === undefined ? undefined : JSON.parse(JSON.stringify(route.json).replaceAll(':moduleId', moduleId))
  // A route about a module that its path does not name has the id in its body.
  const isIdInBody =
    !/:(?:module|collection|person|group|assignment|link)Id/.test(name) &&
    !['user', 'admin', 'anyone'].includes(route.access)
  const bearer: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const options = {
    ...signedIn,
    method,
    headers: { ...route.headers, ...bearer },
    ...(json === undefined ? {} : { json: isIdInBody ? { ...json, moduleId } : json }),
    ...(route.text === undefined ? {} : { body: route.text }),
  }
  return { path, options }
}

export interface Answer {
  status: number
  text: string
}

export async function answerTo(response: Response): Promise<Answer> {
  return { status: response.status, text: await response.text() }
}

/** Without what differs from call to call. */
export function sameOf({ status, text }: Answer, moduleId: string): Answer {
  return { status, text: text.replaceAll(moduleId, 'ID').replaceAll(/"requestId":"[^"]*"/g, '"requestId":""') }
}
