import { EXPLORER, runSql } from './seed-modules.ts'

const BUCKETS = `${EXPLORER}/r2/buckets`
/** Where what a finished module consists of stands; the module itself comes last, with the etag of its video. */
const TABLES = ['runs', 'transcript_corrections', 'screen_corrections', 'steps', 'step_images', 'modules']

/**
 * Puts a copy of a finished module into the running system, for another person: video, images, transcript and steps.
 * @returns its id
 */
export async function copyModule(origin: string, userId: string, fromId: string): Promise<string> {
  const id = crypto.randomUUID().replaceAll('-', '').slice(0, 22)
  const keys = "SELECT source_key, transcript_key, coalesce(screen_key, '') FROM modules WHERE id = ?1"
  const [[sourceKey = '', transcriptKey = '', screenKey = ''] = []] = await runSql(origin, keys, [fromId])
  const key = `src/${id}/copy`
  const etag = await copyObject(origin, sourceKey, key)
  const others = [transcriptKey, screenKey, ...(await listKeys(origin, `images/${fromId}/`))].filter(
    (each) => each !== '',
  )
  await Promise.all(others.map((other) => copyObject(origin, other, other.replace(fromId, id))))
  const own: Record<string, string> = {
    module_id: '?1',
    user_id: '?2',
    source_key: '?4',
    source_etag: '?5',
    transcript_key: 'replace(transcript_key, ?3, ?1)',
    captions_key: 'replace(captions_key, ?3, ?1)',
    screen_key: 'replace(screen_key, ?3, ?1)',
    indexed_version: '-1',
  }
  for (const table of TABLES) {
    const fromKey = table === 'modules' ? 'id' : 'module_id'
    const columns = (await runSql(origin, 'SELECT name FROM pragma_table_info(?1)', [table])).flat()
    const values = columns.map((column) => (column === fromKey ? '?1' : (own[column] ?? column))).join()
    // Each statement names all parameters, since the database refuses one that is not used.
    const which = `${fromKey} = ?3 AND ?2 || ?4 || ?5 <> ''`
    await runSql(origin, `INSERT INTO ${table} (${columns.join()}) SELECT ${values} FROM ${table} WHERE ${which}`, [
      id,
      userId,
      fromId,
      key,
      etag,
    ])
  }
  return id
}

/**
 * Makes the video of a module larger, by bytes behind it that no player reads (ISO/IEC 14496-12, 8.1.2 Free Space Box).
 * For modules that nobody has opened yet.
 */
export async function enlargeVideo(origin: string, id: string, byBytes: number): Promise<void> {
  const [[key = ''] = []] = await runSql(origin, 'SELECT source_key FROM modules WHERE id = ?1', [id])
  const file = `${await objectsOf(origin)}/${encodeURIComponent(key)}`
  const free = Buffer.alloc(byBytes)
  free.writeUInt32BE(byBytes)
  free.write('free', 4)
  const body = Buffer.concat([Buffer.from(await (await fetch(file)).arrayBuffer()), free])
  const answer = await fetch(file, { method: 'PUT', headers: { 'content-type': 'video/mp4' }, body })
  const { etag } = ((await answer.json()) as { result: { etag: string } }).result
  const sql = 'UPDATE modules SET source_etag = ?1, source_size_bytes = cast(?2 AS integer) WHERE id = ?3'
  await runSql(origin, sql, [etag, String(body.byteLength), id])
}

async function objectsOf(origin: string): Promise<string> {
  const listed = (await (await fetch(origin + BUCKETS)).json()) as { result: { buckets: { name: string }[] } }
  return `${origin}${BUCKETS}/${listed.result.buckets[0]?.name}/objects`
}

async function listKeys(origin: string, prefix: string): Promise<string[]> {
  const answer = await fetch(`${await objectsOf(origin)}?prefix=${encodeURIComponent(prefix)}`)
  return ((await answer.json()) as { result: { key: string }[] }).result.map(({ key }) => key)
}

/** @returns the etag of the new one */
async function copyObject(origin: string, from: string, to: string): Promise<string> {
  const objects = await objectsOf(origin)
  const read = await fetch(`${objects}/${encodeURIComponent(from)}`)
  const headers = { 'content-type': read.headers.get('content-type') ?? '' }
  const body = await read.arrayBuffer()
  const answer = await fetch(`${objects}/${encodeURIComponent(to)}`, { method: 'PUT', headers, body })
  if (!read.ok || !answer.ok) throw new Error(`${from} cannot be copied: ${read.status} ${answer.status}`)
  return ((await answer.json()) as { result: { etag: string } }).result.etag
}
