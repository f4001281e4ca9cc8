import { finding, RinexUnreadable } from '../findings.js';

/**
 * Reads what Unix `compress` wrote (`.Z`): LZW with codes of 9 to 16 bits, least significant bit
 * first.
 */

const MAGIC = [0x1f, 0x9d];
const HEADER_LENGTH = 3;
/** Flags: the longest code in bits, and whether code 256 clears the table. */
const WIDTH_MASK = 0x1f;
const BLOCK_MODE = 0x80;
const FIRST_WIDTH = 9;
const LONGEST_WIDTH = 16;
const CLEAR = 256;
/** Codes come in groups of eight. The rest of a group is unused if the width changes in it. */
const CODES_IN_GROUP = 8;

/** Whether a file begins as `compress` writes it. */
export const isUnixCompressed = (begin: Uint8Array): boolean =>
  MAGIC.every((byte, index) => begin[index] === byte);

/** The decoder of one file. Its memory does not depend on the length of the file. */
export class UnixDecompressor {
  private readonly header: number[] = [];
  private readonly prefixes = new Uint16Array(1 << LONGEST_WIDTH);
  private readonly suffixes = new Uint8Array(1 << LONGEST_WIDTH);
  /** The bytes of one code, from the last to the first. */
  private readonly stack = new Uint8Array(1 << LONGEST_WIDTH);
  private longestWidth = LONGEST_WIDTH;
  private hasClear = true;
  private width = FIRST_WIDTH;
  /** The next code that is added to the table. */
  private free = CLEAR + 1;
  private previous = -1;
  private firstByte = 0;
  /** Bits that were read and not used yet. */
  private bits = 0;
  private bitCount = 0;
  /** How many codes of the group were read, and how many bits are left out before the next. */
  private inGroup = 0;
  private skipped = 0;
  private output = Buffer.alloc(1 << LONGEST_WIDTH);
  private length = 0;

  /**
   * The content of the next bytes of the file. One byte can expand to thousands of bytes.
   * @throws {Error} if this is not such a file
   */
  push(input: Uint8Array): Buffer {
    this.length = 0;
    for (const byte of input) {
      if (this.header.length < HEADER_LENGTH) this.readHeader(byte);
      else this.readByte(byte);
    }
    return Buffer.from(this.output.subarray(0, this.length));
  }

  private readHeader(byte: number): void {
    this.header.push(byte);
    if (this.header.length < HEADER_LENGTH) return;
    this.longestWidth = byte & WIDTH_MASK;
    this.hasClear = (byte & BLOCK_MODE) !== 0;
    this.free = this.hasClear ? CLEAR + 1 : CLEAR;
    const isKnown = isUnixCompressed(Uint8Array.from(this.header));
    if (!isKnown || this.longestWidth < FIRST_WIDTH || this.longestWidth > LONGEST_WIDTH)
      throw new RinexUnreadable(finding('other-lzw', {}));
  }

  private readByte(byte: number): void {
    this.bits |= byte << this.bitCount;
    this.bitCount += 8;
    this.leaveOut();
    // A byte ends at most one code.
    if (this.bitCount < this.width) return;
    const code = this.bits & ((1 << this.width) - 1);
    this.bits >>>= this.width;
    this.bitCount -= this.width;
    this.inGroup = (this.inGroup + 1) % CODES_IN_GROUP;
    this.readCode(code);
  }

  /** Begins a new group of codes of another width. */
  private setWidth(width: number): void {
    this.skipped = this.inGroup === 0 ? 0 : (CODES_IN_GROUP - this.inGroup) * this.width;
    this.leaveOut();
    this.inGroup = 0;
    this.width = width;
  }

  /** Skips the rest of a group, as far as it has been read. */
  private leaveOut(): void {
    const left = Math.min(this.skipped, this.bitCount);
    this.skipped -= left;
    this.bits >>>= left;
    this.bitCount -= left;
  }

  private readCode(code: number): void {
    if (code === CLEAR && this.hasClear && this.previous !== -1) {
      this.setWidth(FIRST_WIDTH);
      this.free = CLEAR + 1;
      this.previous = -1;
      return;
    }
    if (code > (this.previous === -1 ? CLEAR - 1 : this.free))
      throw new RinexUnreadable(finding('damaged-lzw', {}));
    let depth = 0;
    let rest = code;
    if (code === this.free && this.previous !== -1) {
      this.stack[depth++] = this.firstByte;
      rest = this.previous;
    }
    while (rest >= CLEAR) {
      this.stack[depth++] = this.suffixes[rest]!;
      rest = this.prefixes[rest]!;
    }
    this.firstByte = rest;
    this.stack[depth++] = rest;
    this.write(depth);
    this.extendTable(code);
  }

  private write(depth: number): void {
    if (this.length + depth > this.output.length)
      this.output = Buffer.concat([this.output, Buffer.alloc(this.output.length + depth)]);
    for (let index = depth - 1; index >= 0; index--)
      this.output[this.length++] = this.stack[index]!;
  }

  private extendTable(code: number): void {
    if (this.previous !== -1 && this.free < 1 << this.longestWidth) {
      this.prefixes[this.free] = this.previous;
      this.suffixes[this.free] = this.firstByte;
      this.free += 1;
      if (this.free === 1 << this.width && this.width < this.longestWidth)
        this.setWidth(this.width + 1);
    }
    this.previous = code;
  }
}
