//! A report as one page that needs no other file: styles, plots and pictures are in it; light and dark.

use std::fmt::Write;

use super::comparison::figure;
use super::picture::Picture;
use super::plot::Plot;
use super::text::told;
use super::{Experiment, Report, Section, Table, Verdict};
use crate::page::{document, escaped, png_url};

const STYLE: &str = include_str!("report.css");

/// The whole page.
pub fn html(report: &Report) -> String {
    let mut body = header(report);
    for (index, section) in report.sections.iter().enumerate() {
        body += &of_section(index, section);
    }
    document("supple: the papers, measured again", STYLE, &body)
}

fn header(report: &Report) -> String {
    let mut tiles = String::new();
    for verdict in Verdict::ALL {
        let class = if report.count(verdict) > 0 { class(verdict) } else { "" };
        let _ = write!(
            tiles,
            "<div class=\"tile {class}\"><b>{}</b><span>{}</span></div>",
            report.count(verdict),
            verdict.name()
        );
    }
    let quick = if report.quick { " A quick run: few rounds, so times are rough." } else { "" };
    format!(
        "<header><h1>The papers, measured again</h1>{}<div class=\"tiles\">{tiles}</div>\
         <p class=\"settings\">{}; sources {}; {}.{quick}</p>{}{}</header>",
        introduction(report),
        escaped(&report.machine),
        escaped(&report.commit),
        escaped(&report.date),
        contents(report),
        worse(report),
    )
}

/// For people who have not read the papers: what they are about, how to read the page, what depends on the machine.
fn introduction(report: &Report) -> String {
    let mut papers = String::new();
    for (index, section) in report.sections.iter().enumerate() {
        let (title, idea) = (escaped(&section.title), escaped(&section.idea));
        let _ = write!(papers, "<li><a href=\"#s{index}\">{title}</a>. {idea}</li>");
    }
    format!(
        "<p class=\"lead\">supple finds out where things touch that bend: characters, faces, cloth. It builds on research of 2003 \
         to 2015. This page repeats the experiments of those papers and puts our numbers beside theirs, so that anybody can see \
         which of their claims hold, and where supple does less.</p>\
         <section><h2>What the papers are about</h2><ul>{papers}</ul>\
         <h2>How to read it</h2><p>Nearly all tables say how many times as fast, as large or as exact one method is compared with \
         another. The scenes are our own, made as much like those of the papers as their texts allow. A verdict stands beside \
         every number of a paper that carries over: <b>reached</b> (within a tenth, or as the paper says), <b>better</b> or \
         <b>worse</b>, and then why. <i>On demand</i> means that bounds are computed when a query looks at them; \
         <i>bottom-up</i> and <i>hybrid</i> deform all vertices first and then update all bounds, or those at the top.</p>\
         <h2>What depends on the machine</h2><p>Times do, and so do ratios of times, though less: processors of today deform \
         vertices many at once, which makes the methods that deform everything look better than in the papers. Expect other \
         ratios on another machine, by a factor of up to two. Counts, radii, errors and properties do not depend on it: they are \
         the same on every machine and in every run.</p></section>"
    )
}

/// All that falls short, with reasons.
fn worse(report: &Report) -> String {
    let mut items = String::new();
    for experiment in report.experiments() {
        for (why, worse) in experiment.reasons() {
            let _ = write!(
                items,
                "<li><b>{}</b>: {}. <span class=\"dim\">{}</span></li>",
                escaped(&experiment.title),
                escaped(&told(&worse)),
                escaped(why)
            );
        }
    }
    if items.is_empty() {
        items
    } else {
        format!(
            "<section class=\"short\"><h2>What falls short</h2><details><summary>The whole list, with reasons</summary>\
             <ul>{items}</ul></details></section>"
        )
    }
}

fn contents(report: &Report) -> String {
    let mut items = String::new();
    for (index, section) in report.sections.iter().enumerate() {
        let _ = write!(items, "<li><a href=\"#s{index}\">{}</a><ul>", escaped(&section.title));
        for (number, experiment) in section.experiments.iter().enumerate() {
            let _ = write!(
                items,
                "<li><a href=\"#s{index}-{number}\">{}</a>{}</li>",
                escaped(&experiment.title),
                experiment.comparisons.iter().map(|c| badge(c.verdict())).collect::<String>()
            );
        }
        items += "</ul></li>";
    }
    format!("<nav><ul>{items}</ul></nav>")
}

fn of_section(index: usize, section: &Section) -> String {
    let mut body = String::new();
    for (number, experiment) in section.experiments.iter().enumerate() {
        body += &of_experiment(&format!("s{index}-{number}"), experiment);
    }
    format!(
        "<section id=\"s{index}\"><h2>{}</h2><p class=\"dim\">{}</p>{body}</section>",
        escaped(&section.title),
        escaped(&section.citation)
    )
}

fn of_experiment(anchor: &str, experiment: &Experiment) -> String {
    let mut body = String::new();
    if !experiment.comparisons.is_empty() {
        body += &of_comparisons(experiment);
    }
    body.extend(experiment.tables.iter().map(of_table));
    body.extend(experiment.plots.iter().map(of_plot));
    body.extend(experiment.pictures.iter().map(of_picture));
    format!(
        "<article id=\"{anchor}\"><h3>{}</h3><div class=\"setup\"><p><b>The paper</b> {}</p><p><b>Here</b> {}</p></div>{body}\
         </article>",
        escaped(&experiment.title),
        escaped(&experiment.paper),
        escaped(&experiment.here)
    )
}

fn of_comparisons(experiment: &Experiment) -> String {
    let mut rows = String::new();
    for comparison in &experiment.comparisons {
        let _ = write!(
            rows,
            "<tr><td class=\"what\">{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
            escaped(comparison.what()),
            comparison.better().name(),
            escaped(&comparison.paper().to_string()),
            figure(comparison.ours()),
            badge(comparison.verdict())
        );
    }
    for (why, worse) in experiment.reasons() {
        let names: Vec<&str> = worse.iter().map(|comparison| comparison.what()).collect();
        let _ = write!(
            rows,
            "<tr class=\"why\"><td colspan=\"5\"><b>{}</b> {}</td></tr>",
            escaped(&names.join("; ")),
            escaped(why)
        );
    }
    format!(
        "<div class=\"wide\"><table class=\"compared\"><thead><tr><th>what carries over</th><th>good is</th>\
         <th class=\"n\">paper</th><th class=\"n\">ours</th><th>verdict</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

fn of_table(table: &Table) -> String {
    let class = |column: usize| if table.is_numeric(column) { " class=\"n\"" } else { "" };
    let mut header = String::new();
    for (column, name) in table.columns().iter().enumerate() {
        let _ = write!(header, "<th{}>{}</th>", class(column), escaped(name));
    }
    let mut rows = String::new();
    for row in table.rows() {
        rows += "<tr>";
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(rows, "<td{}>{}</td>", class(column), escaped(&cell.to_string()));
        }
        rows += "</tr>";
    }
    format!(
        "<p class=\"caption\">{}</p><div class=\"wide\"><table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table></div>",
        escaped(&table.caption)
    )
}

fn of_plot(plot: &Plot) -> String {
    let mut legend = String::new();
    if plot.legend().count() > 1 {
        for (name, colour) in plot.legend() {
            let _ = write!(legend, "<span><i style=\"background:{colour}\"></i>{}</span>", escaped(name));
        }
    }
    format!(
        "<figure class=\"plot\"><figcaption>{}</figcaption><p class=\"legend\">{legend}</p>{}</figure>",
        escaped(&plot.title),
        plot.svg()
    )
}

fn of_picture(picture: &Picture) -> String {
    let caption = escaped(&picture.caption);
    format!(
        "<figure><img alt=\"{caption}\" src=\"{}\"><figcaption>{caption}</figcaption></figure>",
        png_url(&picture.png)
    )
}

fn badge(verdict: Verdict) -> String {
    format!(" <span class=\"badge {}\">{}</span>", class(verdict), verdict.name())
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reached | Verdict::Better => "good",
        Verdict::Worse => "bad",
    }
}
