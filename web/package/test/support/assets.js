// Real files: folders beside the project, named by SUPPLE_ASSETS and SUPPLE_MORE_ASSETS.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export function assetFolder(variable) {
  const folder = process.env[variable];
  if (!folder) throw new Error(`${variable} must name the folder of the models for the tests`);
  return folder;
}

/** All files below a folder whose names end so, sorted. */
export function filesBelow(folder, endings) {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = all.map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return paths.filter((path) => endings.some((ending) => path.endsWith(ending))).sort();
}

export const bytesOf = (path) => new Uint8Array(readFileSync(path));
