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

/** Opens the ZIP files of an export, or the files of a folder into which a browser or a person has unpacked one. */
async function openExport(files: readonly File[]): Promise<ReadonlyMap<string, Blob>[]> {
  const zips = files.length === 1 ? files : files.filter(({ name }) => name.endsWith('.zip'))
  if (zips.length > 0) return Promise.all(zips.map(readZip))
  return [new Map(files.map((file) => [file.webkitRelativePath.split('/').slice(1).join('/') || file.name, file]))]
}

function describeResult({ findings, about, end, keptSeq, removedPhotos }: Verified, kept: string | null): Node[] {
  if (findings.length > 0 || about === null) {
    const isIncomplete = findings.every(({ code }) => code === 'part_missing')
    return [
      element('h2', { className: 'broken', textContent: isIncomplete ? m.verify_incomplete() : m.verify_broken() }),
      element(
        'ul',
        {},
        findings.map((finding) => element('li', { textContent: describeFinding(finding) })),
      ),
    ]
  }
  const range = m.verify_range({ first: about.from.seq, last: about.end.seq })
  return [
    element('h2', { className: 'fits', textContent: m.verify_fits() }),
    element('p', { textContent: range }),
    ...describeRemoved(removedPhotos).map((textContent) => element('p', { textContent })),
    element('p', { textContent: m.verify_end({ hash: end }) }),
    element('p', { textContent: kept === null ? m.verify_limit() : describeKept(keptSeq) }),
  ]
}
