import * as m from '#messages'
import { describeFinding, describeKept, describeRemoved } from '#records/describe-finding.ts'
import { EXPORT_FILES } from '#records/export-files.ts'
import { PART_FILE } from '#records/export-parts.ts'
import { readZip } from '#records/read-zip.ts'
import { findHash, type Verified, verifyRecords } from '#records/verify-records.ts'

/** Shows the page that checks an export which is dropped on it or chosen. */
export function showVerifyPage(root: HTMLElement): void {
  const result = element('section', { className: 'result', ariaLive: 'polite' })
  const kept = element('input', { type: 'text', id: 'kept', spellcheck: false, autocomplete: 'off', dir: 'ltr' })
  const mistake = element('p', { id: 'kept-mistake', role: 'alert' })
  kept.setAttribute('aria-describedby', mistake.id)
  let chosen: readonly File[] = []
  const check = (files: readonly File[]) => {
    if (files.length > 0) chosen = files
    const hash = findHash(kept.value)
    const isMistake = hash === null && kept.value.trim() !== ''
    kept.setAttribute('aria-invalid', String(isMistake))
    mistake.textContent = isMistake ? m.verify_kept_mistake() : ''
    void showResult(result, chosen, hash)
  }
  // After an export was checked it is checked again with what was kept of it.
  kept.addEventListener('change', () => check([]))
  const drop = element('div', { className: 'drop' }, [
    fileChoice(m.verify_choose_file(), check, { accept: '.zip', multiple: true }),
    fileChoice(m.verify_choose_folder(), check, { webkitdirectory: true }),
  ])
  acceptDrops(drop, check)
  root.replaceChildren(
    element('main', {}, [
      element('h1', { textContent: m.verify_heading() }),
      element('p', { textContent: m.verify_hint() }),
      drop,
      element('label', { className: 'kept', htmlFor: 'kept', textContent: m.verify_kept() }),
      kept,
      mistake,
      result,
    ]),
  )
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  fields: Partial<HTMLElementTagNameMap[Tag]>,
  children: readonly Node[] = [],
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), fields)
  made.append(...children)
  return made
}

type Check = (files: readonly File[]) => void

function fileChoice(text: string, check: Check, fields: Partial<HTMLInputElement>): HTMLLabelElement {
  const input = element('input', { type: 'file', ...fields })
  input.addEventListener('change', () => {
    check([...(input.files ?? [])])
    // The same file may have changed.
    input.value = ''
  })
  return element('label', {}, [new Text(text), input])
}

function acceptDrops(drop: HTMLElement, check: Check): void {
  // Anywhere on the page: a file that misses the area would be opened in place of the page.
  document.addEventListener('dragover', (event) => {
    event.preventDefault()
    drop.classList.add('over')
  })
  document.addEventListener('dragleave', () => drop.classList.remove('over'))
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    drop.classList.remove('over')
    check([...(event.dataTransfer?.files ?? [])])
  })
}

async function showResult(result: HTMLElement, files: readonly File[], kept: string | null): Promise<void> {
  if (files.length === 0) return
  result.replaceChildren(element('p', { textContent: m.verify_busy() }))
  result.replaceChildren(...(await describeFiles(files, kept)))
}

async function describeFiles(files: readonly File[], kept: string | null): Promise<Node[]> {
  try {
    const opened = await openExport(files)
    const isExport = opened.some((part) => part.has(EXPORT_FILES.records) || part.has(PART_FILE))
    if (isExport) return describeResult(await verifyRecords(opened, kept), kept)
  } catch {
    // What cannot be read as a ZIP file is no export, whatever else it is.
  }
  return [element('h2', { className: 'broken', textContent: m.verify_no_export() })]
}

/** Opens the ZIP files of an export, or the files of folders into which a browser or a person has unpacked them. */
async function openExport(files: readonly File[]): Promise<ReadonlyMap<string, Blob>[]> {
  // A ZIP file among others does not speak for them.
  if (files.length === 1 || files.every(({ name }) => /\.zip$/i.test(name))) return Promise.all(files.map(readZip))
  return openFolders(files)
}

/** Opens each folder that says what it is of. What lies outside of them is a file too much of the first. */
function openFolders(files: readonly File[]): ReadonlyMap<string, Blob>[] {
  const paths = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }))
  const suffix = `/${EXPORT_FILES.checkpoints}`
  const folders = paths.flatMap(({ path }) => (path.endsWith(suffix) ? [path.slice(0, 1 - suffix.length)] : []))
  const [top = ''] = /^[^/]+\//.exec(paths[0]?.path ?? '') ?? []
  const parts = (folders.length > 0 ? folders : [top]).map((folder) => ({ folder, opened: new Map<string, Blob>() }))
  for (const { path, file } of paths) {
    const part = parts.find(({ folder }) => path.startsWith(folder))
    if (part === undefined) parts[0]?.opened.set(path, file)
    else part.opened.set(path.slice(part.folder.length), file)
  }
  return parts.map(({ opened }) => opened)
}

function describeResult({ findings, about, end, keptSeq, removedPhotos }: Verified, kept: string | null): Node[] {
  if (findings.length > 0 || about === null)
    return [
      element('h2', { className: 'broken', textContent: sumUp(findings) }),
      element(
        'ul',
        {},
        findings.map((finding) => element('li', { textContent: describeFinding(finding) })),
      ),
    ]
  const range = m.verify_range({ first: about.from.seq, last: about.end.seq })
  return [
    element('h2', { className: 'fits', textContent: m.verify_fits() }),
    element('p', { textContent: range }),
    ...describeRemoved(removedPhotos).map((textContent) => element('p', { textContent })),
    element('p', { textContent: m.verify_end({ hash: end }) }),
    element('p', { textContent: kept === null ? m.verify_limit() : describeKept(keptSeq) }),
  ]
}

/** Parts that are missing or of another export were chosen wrongly; that alone does not mean a change. */
function sumUp(findings: Verified['findings']): string {
  if (findings.every(({ code }) => code === 'part_missing')) return m.verify_incomplete()
  const isMixed = findings.every(({ code }) => code === 'part_missing' || code === 'part_foreign')
  return isMixed ? m.verify_mixed() : m.verify_broken()
}
