import { CAPTION_REPAIRS_NAMED_MAX, type CaptionRepair, type CaptionRepairCode } from '#contract/captions/report.ts'

/** What was repaired or left out while a caption file was read; a line has each code once. */
export class RepairLog {
  #count = 0
  readonly #named: CaptionRepair[] = []
  readonly #lastLine = new Map<CaptionRepairCode, number>()

  /** @param lineIndex counted from 0 */
  note(lineIndex: number, code: CaptionRepairCode): void {
    if (this.#lastLine.get(code) === lineIndex) return
    this.#lastLine.set(code, lineIndex)
    this.#count += 1
    if (this.#named.length < CAPTION_REPAIRS_NAMED_MAX) this.#named.push({ line: lineIndex + 1, code })
  }

  /** All of them. */
  get count(): number {
    return this.#count
  }

  /** The first of them, by line. */
  get named(): CaptionRepair[] {
    return this.#named.toSorted((a, b) => a.line - b.line)
  }
}
